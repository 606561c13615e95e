// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/fold.h"

#include <QAbstractButton>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

namespace kvplan {

/// The header: a chevron, the title, and the summary while closed. A button, so that keys and screen readers reach it.
class Fold::Header : public QAbstractButton {
public:
    Header(const QString& title, Kind kind, QWidget* parent)
        : QAbstractButton(parent)
        , m_kind(kind)
    {
        setText(kind == Kind::Group ? title.toUpper() : title);
        setAccessibleName(title);
        setCheckable(true);
        setFocusPolicy(Qt::TabFocus);
        setCursor(Qt::PointingHandCursor);
    }

    QSize sizeHint() const override { return {120, m_kind == Kind::Group ? 24 : 22}; }

    void setSummary(const QString& summary)
    {
        if (m_summary != summary) {
            m_summary = summary;
            setAccessibleDescription(summary);
            update();
        }
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor quiet = palette().color(QPalette::PlaceholderText);
        QFont font = this->font();
        if (m_kind == Kind::Group) {
            font.setPixelSize(11);
            font.setWeight(QFont::DemiBold);
            font.setLetterSpacing(QFont::AbsoluteSpacing, 0.8);
        } else {
            font.setPixelSize(12);
        }
        painter.setFont(font);

        const bool chevronFirst = m_kind == Kind::Detail;
        const qreal middle = height() / 2.0;
        const QPointF chevron(chevronFirst ? 4.0 : width() - 8.0, middle);
        painter.setPen(QPen(quiet, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        if (chevronFirst || underMouse() || hasFocus() || !isChecked()) {
            QPainterPath path;
            if (isChecked()) {
                path.moveTo(chevron + QPointF(-3.5, -1.75));
                path.lineTo(chevron + QPointF(0, 1.75));
                path.lineTo(chevron + QPointF(3.5, -1.75));
            } else {
                path.moveTo(chevron + QPointF(-1.75, -3.5));
                path.lineTo(chevron + QPointF(1.75, 0));
                path.lineTo(chevron + QPointF(-1.75, 3.5));
            }
            painter.drawPath(path);
        }

        const int left = chevronFirst ? 14 : 0;
        painter.setPen(hasFocus() ? palette().color(QPalette::Highlight) : quiet);
        painter.drawText(rect().adjusted(left, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
        if (!isChecked() && !m_summary.isEmpty()) {
            const int used = left + painter.fontMetrics().horizontalAdvance(text()) + 12;
            QFont small = this->font();
            small.setPixelSize(12);
            painter.setFont(small);
            const QRect room = rect().adjusted(used, 0, chevronFirst ? 0 : -18, 0);
            painter.setPen(palette().color(QPalette::Text));
            painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                painter.fontMetrics().elidedText(m_summary, Qt::ElideRight, room.width()));
        }
    }

private:
    Kind m_kind;
    QString m_summary;
};

Fold::Fold(const QString& title, Kind kind, QWidget* parent)
    : QWidget(parent)
    , m_header(new Header(title, kind, this))
    , m_body(new QWidget(this))
{
    setObjectName(title);
    m_layout = new QVBoxLayout(m_body);
    m_layout->setContentsMargins(0, 2, 0, kind == Kind::Group ? 6 : 2);
    m_layout->setSpacing(0);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_body);

    m_header->setChecked(true);
    connect(m_header, &QAbstractButton::toggled, this, [this](bool open) {
        m_body->setVisible(open);
        emit toggled(open);
    });
}

Fold::~Fold() = default;

bool Fold::isOpen() const
{
    return m_header->isChecked();
}

void Fold::setOpen(bool open)
{
    m_header->setChecked(open);
    m_body->setVisible(open);
}

void Fold::setSummary(const QString& summary)
{
    m_header->setSummary(summary);
}

} // namespace kvplan
