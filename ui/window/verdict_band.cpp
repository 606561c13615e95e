// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/verdict_band.h"

#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>
#include <QToolButton>
#include <QWidgetAction>

namespace kvplan {

namespace {

constexpr int stripWidth = 5;
constexpr int leftMargin = 22;
constexpr int rightMargin = 16;
constexpr int markSize = 22;
constexpr int oneLineHeight = 82;
constexpr int twoLineHeight = 104;
constexpr int wideEnough = 1180; ///< from here the longest sentences stand on one line
constexpr int smallestVerdict = 17;

/// A tick, a cross or a bar in a disc: the state without its colour.
void drawMark(QPainter& painter, const QRectF& disc, VerdictState state, const QColor& color, const QColor& ink)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(disc);
    QPen pen(ink, 2.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const QPointF c = disc.center();
    QPainterPath path;
    switch (state) {
    case VerdictState::Good:
        path.moveTo(c + QPointF(-4.6, 0.4));
        path.lineTo(c + QPointF(-1.4, 3.6));
        path.lineTo(c + QPointF(4.8, -3.4));
        break;
    case VerdictState::Bad:
        path.moveTo(c + QPointF(-3.6, -3.6));
        path.lineTo(c + QPointF(3.6, 3.6));
        path.moveTo(c + QPointF(3.6, -3.6));
        path.lineTo(c + QPointF(-3.6, 3.6));
        break;
    case VerdictState::Open:
        path.moveTo(c + QPointF(-4, 0));
        path.lineTo(c + QPointF(4, 0));
        break;
    }
    painter.drawPath(path);
}

struct Line {
    qsizetype start;
    qsizetype length;
};

std::vector<Line> brokenInto(const QString& text, const QFont& font, qreal firstIndent, qreal width)
{
    std::vector<Line> lines;
    QTextLayout layout(text, font);
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(lines.empty() ? width - firstIndent : width);
        lines.push_back({line.textStart(), line.textLength()});
    }
    layout.endLayout();
    return lines;
}

} // namespace

VerdictBand::VerdictBand(QWidget* parent)
    : QWidget(parent)
    , m_notes(new QToolButton(this))
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    m_notes->setAutoRaise(true);
    m_notes->setFocusPolicy(Qt::TabFocus);
    m_notes->hide();
    connect(m_notes, &QToolButton::clicked, this, &VerdictBand::showNotes);
}

void VerdictBand::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_notes->setFont(theme.body());
    placeNotes();
    update();
}

void VerdictBand::display(const Verdict& verdict)
{
    m_verdict = verdict;
    setAccessibleName(tr("Verdict"));
    setAccessibleDescription(QStringLiteral("%1 %2 %3").arg(verdict.word, verdict.text, verdict.detail));
    const qsizetype warnings = verdict.warnings.size();
    const qsizetype notes = warnings + verdict.assumptions.size();
    m_notes->setVisible(notes > 0);
    m_notes->setText(warnings == 0 ? tr("Assumptions ▾")
            : warnings == 1        ? tr("▲ 1 warning ▾")
                                   : tr("▲ %1 warnings ▾").arg(warnings));
    m_notes->setAccessibleName(tr("Warnings and assumptions"));
    placeNotes();
    update();
}

int VerdictBand::heightForWidth(int width) const
{
    return width >= wideEnough ? oneLineHeight : twoLineHeight;
}

QSize VerdictBand::sizeHint() const
{
    return {900, heightForWidth(width())};
}

QSize VerdictBand::minimumSizeHint() const
{
    return {400, oneLineHeight};
}

void VerdictBand::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeNotes();
}

void VerdictBand::placeNotes()
{
    const QSize size = m_notes->sizeHint();
    m_notes->setGeometry(
        width() - size.width() - rightMargin + 6, height() - size.height() - 10, size.width(), size.height());
}

QColor VerdictBand::stateColor() const
{
    switch (m_verdict.state) {
    case VerdictState::Good:
        return m_theme.color(Role::Fits);
    case VerdictState::Bad:
        return m_theme.color(Role::Limit);
    case VerdictState::Open:
        break;
    }
    return m_theme.color(Role::TakenDeep);
}

void VerdictBand::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath outline;
    outline.addRoundedRect(card, 8, 8);
    painter.fillPath(outline, m_theme.color(Role::Card));
    painter.save();
    painter.setClipPath(outline);
    painter.fillRect(QRectF(0, 0, stripWidth, height()), stateColor());
    painter.restore();
    painter.setPen(QPen(m_theme.color(Role::Edge), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(outline);

    if (m_verdict.stale) {
        painter.setOpacity(0.55);
    }
    const qreal left = leftMargin;
    const qreal width = this->width() - leftMargin - rightMargin;
    QFont word = m_theme.verdict();
    word.setWeight(QFont::Bold);
    QFont text = m_theme.verdict();
    const int lineLimit = this->width() >= wideEnough ? 1 : 2;
    std::vector<Line> lines;
    qreal indent = 0;
    while (true) {
        indent = markSize + 10 + QFontMetricsF(word).horizontalAdvance(m_verdict.word) + 12;
        lines = brokenInto(m_verdict.text, text, indent, width);
        if (static_cast<int>(lines.size()) <= lineLimit || text.pixelSize() <= smallestVerdict) {
            break;
        }
        text.setPixelSize(text.pixelSize() - 1);
        word.setPixelSize(word.pixelSize() - 1);
    }

    const QFontMetricsF metrics(text);
    const QFontMetricsF detailMetrics(m_theme.body());
    const qreal lineHeight = metrics.height();
    const qreal block
        = lineHeight * static_cast<qreal>(std::max<std::size_t>(1, lines.size())) + 5 + detailMetrics.height();
    qreal y = (height() - block) / 2;

    const QColor state = stateColor();
    drawMark(painter, QRectF(left, y + (lineHeight - markSize) / 2, markSize, markSize), m_verdict.state, state,
        m_theme.color(Role::Card));
    painter.setFont(word);
    painter.setPen(m_verdict.state == VerdictState::Open ? m_theme.color(Role::Text) : state);
    painter.drawText(QPointF(left + markSize + 10, y + metrics.ascent()), m_verdict.word);
    painter.setFont(text);
    painter.setPen(m_theme.color(Role::Text));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        painter.drawText(QPointF(left + (i == 0 ? indent : 0), y + metrics.ascent()),
            m_verdict.text.mid(lines[i].start, lines[i].length));
        y += lineHeight;
    }
    y += lines.empty() ? lineHeight : 0;

    painter.setOpacity(1);
    painter.setFont(m_theme.body());
    painter.setPen(m_verdict.stale ? m_theme.color(Role::Limit) : m_theme.color(Role::QuietText));
    const qreal room = width - (m_notes->isVisible() ? m_notes->width() + 12 : 0);
    painter.drawText(QPointF(left, y + 5 + detailMetrics.ascent()),
        detailMetrics.elidedText(m_verdict.detail, Qt::ElideRight, room));
}

void VerdictBand::showNotes()
{
    QMenu menu(this);
    const auto add = [&](const QString& title, const QStringList& notes) {
        if (notes.isEmpty()) {
            return;
        }
        QString html = QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped());
        for (const QString& note : notes) {
            html += QStringLiteral("<p style='margin-top:6px'>%1</p>").arg(note.toHtmlEscaped());
        }
        auto* label = new QLabel(html);
        label->setWordWrap(true);
        label->setFixedWidth(440);
        label->setMargin(12);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        auto* action = new QWidgetAction(&menu);
        action->setDefaultWidget(label);
        menu.addAction(action);
    };
    add(tr("Warnings"), m_verdict.warnings);
    add(tr("Assumptions"), m_verdict.assumptions);
    menu.exec(m_notes->mapToGlobal(QPoint(m_notes->width() - 466, m_notes->height() + 4)));
}

} // namespace kvplan
