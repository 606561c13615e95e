// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_card.h"

#include "ui/charts/chart_painter.h"
#include "ui/charts/plot_csv.h"
#include "ui/charts/plot_layout.h"
#include "ui/charts/plot_view.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QGraphicsOpacityEffect>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

namespace kvplan {

namespace {

constexpr int gap = 8; ///< between head, controls, body and footnote

QString firstCapital(QString text)
{
    return text.isEmpty() ? text : text.at(0).toUpper() + text.mid(1);
}

QFont smallBody(const Theme& theme)
{
    QFont font = theme.body();
    font.setPixelSize(font.pixelSize() - 1);
    return font;
}

/// Three dots that open a menu.
class MoreButton : public QToolButton {
public:
    using QToolButton::QToolButton;

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        if (underMouse() || isDown() || hasFocus()) {
            painter.setBrush(palette().color(QPalette::Window));
            painter.drawRoundedRect(rect(), 4, 4);
        }
        painter.setBrush(palette().color(hasFocus() ? QPalette::Link : QPalette::PlaceholderText));
        for (const int offset : {-5, 0, 5}) {
            painter.drawEllipse(QPointF(rect().center()) + QPointF(offset + 0.5, 0.5), 1.6, 1.6);
        }
    }
};

} // namespace

ChartCard::ChartCard(QWidget* parent)
    : QWidget(parent)
    , m_more(new MoreButton(this))
{
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setAccessibleName(tr("Export and copy"));
    auto* menu = new QMenu(m_more);
    for (const char* suffix : {"png", "svg", "pdf"}) {
        menu->addAction(tr("Export %1…").arg(QString::fromLatin1(suffix).toUpper()), this,
            [this, suffix] { exportDialog(QString::fromLatin1(suffix)); });
    }
    menu->addSeparator();
    menu->addAction(tr("Copy picture"), this, &ChartCard::copyPicture);
    menu->addAction(tr("Copy data as CSV"), this, &ChartCard::copyData);
    m_more->setMenu(menu);
}

ChartCard::~ChartCard() = default;

PlotView& ChartCard::plot()
{
    if (m_plot == nullptr) {
        m_plot = new PlotView(this);
        m_plot->setTheme(m_theme);
        setBody(m_plot);
    }
    return *m_plot;
}

void ChartCard::setBody(QWidget* body)
{
    m_body = body;
    m_body->setParent(this);
    m_body->setVisible(true);
    place();
}

void ChartCard::setControls(QWidget* controls)
{
    m_controls = controls;
    m_controls->setParent(this);
    m_controls->setVisible(true);
    place();
}

void ChartCard::show(const PlotData& chart)
{
    setHead(chart.title, chart.subtitle);
    if (chart.footnote != m_footnote) {
        m_footnote = chart.footnote;
        place();
        update();
    }
    plot().show(chart);
}

void ChartCard::setHead(const QString& title, const QString& subtitle)
{
    if (title != m_title || subtitle != m_subtitle) {
        m_title = title;
        m_subtitle = subtitle;
        setAccessibleName(title);
        setAccessibleDescription(subtitle);
        update();
    }
}

void ChartCard::setStale(bool stale)
{
    if (stale == m_stale || m_body == nullptr) {
        return;
    }
    m_stale = stale;
    QGraphicsOpacityEffect* dimmed = nullptr;
    if (stale) {
        dimmed = new QGraphicsOpacityEffect(m_body);
        dimmed->setOpacity(0.4);
    }
    m_body->setGraphicsEffect(dimmed);
}

QStringList ChartCard::noteLines(int width) const
{
    return m_footnote.isEmpty() ? QStringList() : inLines(firstCapital(m_footnote), m_theme.tick(), width, width);
}

bool ChartCard::cutsWords() const
{
    const int room = width() - 2 * padding;
    const QStringList notes = noteLines(room);
    return QFontMetrics(m_theme.title()).horizontalAdvance(m_title) > room - 28
        || QFontMetrics(smallBody(m_theme)).horizontalAdvance(m_subtitle) > room
        || (!notes.isEmpty() && notes.last().endsWith(QChar(0x2026)));
}

void ChartCard::setTheme(const Theme& theme)
{
    m_theme = theme;
    if (m_plot != nullptr) {
        m_plot->setTheme(theme);
    }
    place();
    update();
}

int ChartCard::headHeight() const
{
    return QFontMetrics(m_theme.title()).height() + QFontMetrics(m_theme.body()).height() + 4;
}

void ChartCard::place()
{
    const QRect room = rect().adjusted(padding, padding - 2, -padding, -padding + 2);
    const int side = 24;
    m_more->setGeometry(room.right() - side + 6, room.top() - 2, side, side);
    int top = room.top() + headHeight() + gap;
    if (m_controls != nullptr) {
        const int height = m_controls->sizeHint().height();
        m_controls->setGeometry(room.left(), top, room.width(), height);
        top += height + gap;
    }
    const auto lines = static_cast<int>(noteLines(room.width()).size());
    const int note = lines == 0 ? 0 : lines * QFontMetrics(m_theme.tick()).height() + gap;
    if (m_body != nullptr) {
        m_body->setGeometry(room.left(), top, room.width(), std::max(20, room.bottom() - note - top));
    }
}

void ChartCard::resizeEvent(QResizeEvent*)
{
    place();
}

void ChartCard::drawHead(QPainter& painter, QRect room) const
{
    const auto line = [&](const QFont& font, Role role, const QString& text, int top, int width) {
        painter.setFont(font);
        painter.setPen(m_theme.color(role));
        const QFontMetrics metrics(font);
        painter.drawText(QRect(room.left(), top, width, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
            cutTo(text, font, width));
        return top + metrics.height();
    };
    const int below = line(m_theme.title(), Role::Text, m_title, room.top(), room.width() - 28);
    line(smallBody(m_theme), Role::QuietText, m_subtitle, below + 3, room.width());
}

void ChartCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(Role::Edge), 1));
    painter.setBrush(m_theme.color(Role::Card));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    const QRect room = rect().adjusted(padding, padding - 2, -padding, -padding + 2);
    drawHead(painter, room);
    if (!m_footnote.isEmpty()) {
        painter.setFont(m_theme.tick());
        painter.setPen(m_theme.color(Role::QuietText));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignBottom, noteLines(room.width()).join(QLatin1Char('\n')));
    }
}

void ChartCard::drawPicture(ChartPainter& chart, QSize size)
{
    QPainter& painter = chart.painter();
    painter.fillRect(QRect(QPoint(), size), m_theme.color(Role::Card));
    const QRect room = QRect(QPoint(), size).adjusted(padding, padding, -padding, -padding);
    drawHead(painter, room);
    const QFontMetrics metrics(m_theme.tick());
    const int lineHeight = metrics.height() + 3;
    const QStringList footnote = noteLines(room.width());
    const auto notes = static_cast<int>(footnote.size()) + (m_facts.isEmpty() ? 0 : 2);
    const int top = room.top() + headHeight() + gap;
    const QRect body(room.left(), top, room.width(), room.bottom() - top - notes * lineHeight - gap);
    if (m_plot != nullptr && m_body == m_plot) {
        chart.drawPlot(*m_plot, body);
    } else if (m_body != nullptr) {
        painter.save();
        m_body->render(&painter, body.topLeft(), {}, QWidget::DrawChildren);
        painter.restore();
    }
    painter.setFont(m_theme.tick());
    painter.setPen(m_theme.color(Role::QuietText));
    QRect note(room.left(), room.bottom() - notes * lineHeight, room.width(), lineHeight);
    for (const QString& line : footnote) {
        painter.drawText(note, Qt::AlignLeft | Qt::AlignVCenter, line);
        note.translate(0, lineHeight);
    }
    note.setHeight(2 * lineHeight);
    painter.drawText(note, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_facts);
}

Result<void> ChartCard::exportPicture(const QString& path, QSize size, double scale)
{
    const QSize picture = size.isValid() ? size : this->size() + QSize(0, 40);
    return writePicture(path, picture, scale, [&](ChartPainter& painter) { drawPicture(painter, picture); });
}

void ChartCard::copyPicture()
{
    const QSize picture = size() + QSize(0, 40);
    QImage image(picture * 2, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(2);
    {
        ChartPainter painter(image);
        drawPicture(painter, picture);
    }
    QApplication::clipboard()->setImage(image);
}

void ChartCard::copyData()
{
    QApplication::clipboard()->setText(m_plot != nullptr ? plotCsv(m_plot->data()) : m_title);
}

void ChartCard::exportDialog(const QString& suffix)
{
    QString path = QFileDialog::getSaveFileName(this, tr("Export chart"), QStringLiteral("chart.") + suffix,
        QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix));
    if (path.isEmpty()) {
        return;
    }
    if (!path.endsWith(QLatin1Char('.') + suffix)) {
        path += QLatin1Char('.') + suffix;
    }
    if (const auto written = exportPicture(path); !written) {
        emit failed(written.error());
    }
}

} // namespace kvplan
