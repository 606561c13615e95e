// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kvplan {

namespace {

constexpr std::size_t mostMessages = 3;

} // namespace

class MessageBar::Message : public QWidget {
public:
    Message(Kind kind, QString topic, const QString& text, QWidget* parent)
        : QWidget(parent)
        , m_kind(kind)
        , m_topic(std::move(topic))
        , m_label(new QLabel(text, this))
        , m_close(new QToolButton(this))
    {
        m_label->setWordWrap(true);
        m_label->setTextFormat(Qt::PlainText);
        m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_close->setText(QStringLiteral("✕"));
        m_close->setAutoRaise(true);
        m_close->setAccessibleName(MessageBar::tr("Dismiss"));
        m_close->setToolTip(MessageBar::tr("Dismiss"));
        m_layout = new QHBoxLayout(this);
        m_layout->setContentsMargins(42, 7, 8, 7);
        m_layout->addWidget(m_label, 1);
        m_layout->addWidget(m_close);
        setAccessibleName(kind == Kind::Problem ? MessageBar::tr("Problem") : MessageBar::tr("Note"));
        setAccessibleDescription(text);
    }

    QToolButton* closeButton() const { return m_close; }
    const QString& topic() const { return m_topic; }
    QString text() const { return m_label->text(); }

    void addAction(const Action& action)
    {
        auto* button = new QPushButton(action.text, this);
        button->setObjectName(QStringLiteral("action"));
        m_layout->insertWidget(m_layout->count() - 1, button);
        connect(button, &QPushButton::clicked, this, [run = action.run] { run(); });
    }

    void setTheme(const Theme& theme)
    {
        m_theme = theme;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor color = m_theme.color(m_kind == Kind::Problem ? Role::Limit : Role::Cache);
        painter.setPen(QPen(color, 1));
        painter.setBrush(m_theme.color(Role::Card));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);

        const QPointF middle(22, height() / 2.0);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        QPainterPath shape;
        if (m_kind == Kind::Problem) {
            shape.moveTo(middle + QPointF(0, -8.5));
            shape.lineTo(middle + QPointF(9, 7.5));
            shape.lineTo(middle + QPointF(-9, 7.5));
            shape.closeSubpath();
        } else {
            shape.addEllipse(middle, 8.5, 8.5);
        }
        painter.drawPath(shape);
        painter.setPen(QPen(m_theme.color(Role::Card), 2, Qt::SolidLine, Qt::RoundCap));
        const qreal up = m_kind == Kind::Problem ? -3.5 : 4.5;
        const qreal down = m_kind == Kind::Problem ? 5.0 : -4.5;
        painter.drawLine(middle + QPointF(0, up), middle + QPointF(0, m_kind == Kind::Problem ? 1.5 : -0.5));
        painter.drawPoint(middle + QPointF(0, down));
    }

private:
    Kind m_kind;
    QString m_topic;
    QLabel* m_label;
    QToolButton* m_close;
    QHBoxLayout* m_layout = nullptr;
    Theme m_theme;
};

MessageBar::MessageBar(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(6);
    hide();
}

void MessageBar::setTheme(const Theme& theme)
{
    m_theme = theme;
    for (Message* message : m_messages) {
        message->setTheme(theme);
    }
}

void MessageBar::tell(Kind kind, const QString& topic, const QString& text, const std::vector<Action>& actions)
{
    clear(topic);
    if (m_messages.size() >= mostMessages) {
        clear(m_messages.front()->topic());
    }
    auto* message = new Message(kind, topic, text, this);
    message->setTheme(m_theme);
    for (const Action& action : actions) {
        message->addAction({action.text, [this, topic, run = action.run] {
                                clear(topic);
                                run();
                            }});
    }
    connect(message->closeButton(), &QToolButton::clicked, this, [this, topic] { clear(topic); });
    m_layout->addWidget(message);
    m_messages.push_back(message);
    refresh();
}

void MessageBar::clear(const QString& topic)
{
    const auto found = std::ranges::find_if(m_messages, [&](const Message* m) { return m->topic() == topic; });
    if (found != m_messages.end()) {
        (*found)->hide();
        (*found)->deleteLater();
        m_messages.erase(found);
        refresh();
    }
}

QStringList MessageBar::texts() const
{
    QStringList list;
    for (const Message* message : m_messages) {
        list << message->text();
    }
    return list;
}

void MessageBar::refresh()
{
    setVisible(!m_messages.empty());
}

} // namespace kvplan
