// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_engine.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

constexpr double pointDiameter = 13;
constexpr double markerDiameter = 6;

QPen penOf(const QColor& color, double width, Dash dash)
{
    QPen pen(color, width);
    switch (dash) {
    case Dash::Solid:
        break;
    case Dash::Dashed:
        pen.setDashPattern({6, 4});
        break;
    case Dash::Dotted:
        pen.setDashPattern({1.5, 3});
        break;
    case Dash::DashDotted:
        pen.setDashPattern({7, 3, 1.5, 3});
        break;
    }
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

/// Black or white, whichever reads better on `ground`.
QColor inkOn(const QColor& ground)
{
    const double luminance = 0.2126 * std::pow(ground.redF(), 2.2) + 0.7152 * std::pow(ground.greenF(), 2.2)
        + 0.0722 * std::pow(ground.blueF(), 2.2);
    return luminance > 0.3 ? QColor(0x1B, 0x1F, 0x24) : QColor(Qt::white);
}

template <class Item>
void hideFrom(std::vector<Item*>& items, std::size_t used)
{
    for (std::size_t i = used; i < items.size(); ++i) {
        items[i]->setVisible(false);
    }
}

} // namespace

PlotEngine::PlotEngine(QWidget* parent)
    : m_plot(new QCustomPlot(parent))
{
    m_plot->setNotAntialiasedElements(QCP::aeAxes | QCP::aeGrid | QCP::aeSubGrid | QCP::aeItems);
    m_plot->setNoAntialiasingOnDrag(false);
    m_plot->setInteractions(QCP::Interactions());
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->axisRect()->setMinimumMargins(QMargins());
    m_plot->plotLayout()->setMargins(QMargins());
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setRange(0, 1);
        axis->setTicks(false);
        axis->setTickLabels(false);
        axis->setBasePen(Qt::NoPen);
        axis->grid()->setVisible(false);
    }
}

PlotEngine::~PlotEngine() = default;

QPointF PlotEngine::place(QPointF value) const
{
    return {shareOf(m_data.x, value.x()), shareOf(m_data.y, value.y())};
}

void PlotEngine::draw()
{
    if (m_plot->width() < 40 || m_plot->height() < 40) {
        return;
    }
    build(m_plot->size());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    ++m_redraws;
}

void PlotEngine::paint(QCPPainter& painter, QSize size)
{
    build(size);
    m_plot->setBackground(Qt::NoBrush);
    m_plot->toPainter(&painter, size.width(), size.height());
    draw();
}

void PlotEngine::build(QSizeF size)
{
    m_usedRects = m_usedLines = m_usedTexts = m_usedGraphs = 0;
    m_plot->setBackground(QBrush(m_theme.color(Role::Card)));
    m_layout = layOut(m_data, size, m_theme);
    const QRectF axes = m_layout.axes;
    m_plot->axisRect()->setMargins(QMargins(static_cast<int>(axes.left()), static_cast<int>(axes.top()),
        static_cast<int>(std::round(size.width() - axes.right())),
        static_cast<int>(std::round(size.height() - axes.bottom()))));
    if (m_data.message.isEmpty()) {
        buildAxes(size);
        buildHeat();
        buildBars();
        buildLines();
        buildSeries();
        buildTexts();
        buildPoint();
    } else {
        if (m_heat != nullptr) {
            m_heat->setVisible(false);
        }
        QCPItemText& text = addText(QPointF(size.width() / 2, size.height() / 2), m_data.message,
            m_theme.color(Role::QuietText), m_theme.body(), Qt::AlignCenter);
        text.setTextAlignment(Qt::AlignCenter);
    }
    hideFrom(m_rects, m_usedRects);
    hideFrom(m_lines, m_usedLines);
    hideFrom(m_texts, m_usedTexts);
    hideFrom(m_graphs, m_usedGraphs);
}

void PlotEngine::buildAxes(QSizeF size)
{
    const QRectF axes = m_layout.axes;
    const QPen grid(m_theme.color(Role::Grid), 1);
    const QColor quiet = m_theme.color(Role::QuietText);
    const QFontMetricsF metrics(m_theme.tick());
    const auto gridLine = [&](QPointF from, QPointF to) {
        QCPItemLine& line = nextLine(QStringLiteral("grid"));
        line.setPen(grid);
        line.start->setType(QCPItemPosition::ptPlotCoords);
        line.end->setType(QCPItemPosition::ptPlotCoords);
        line.start->setCoords(from);
        line.end->setCoords(to);
    };
    double lastRight = -1e9;
    for (const Tick& tick : m_data.x.ticks) {
        const double share = shareOf(m_data.x, tick.at);
        if (share < -1e-9 || share > 1 + 1e-9) {
            continue;
        }
        if (m_data.x.grid) {
            gridLine({share, 0}, {share, 1});
        }
        // Words that would touch the one before them are left out.
        const double middle = axes.left() + share * axes.width();
        const double half = metrics.horizontalAdvance(tick.text) / 2;
        if (!tick.text.isEmpty() && middle - half > lastRight + 5) {
            addText({middle, axes.bottom() + 6}, tick.text, quiet, m_theme.tick(), Qt::AlignHCenter | Qt::AlignTop);
            lastRight = middle + half;
        }
    }
    double lastTop = 1e9;
    for (const Tick& tick : m_data.y.ticks) {
        const double share = shareOf(m_data.y, tick.at);
        if (share < -1e-9 || share > 1 + 1e-9) {
            continue;
        }
        if (m_data.y.grid) {
            gridLine({0, share}, {1, share});
        }
        const double middle = axes.bottom() - share * axes.height();
        if (!tick.text.isEmpty() && middle + metrics.height() / 2 < lastTop) {
            addText({axes.left() - 6, middle}, tick.text, quiet, m_theme.tick(), Qt::AlignRight | Qt::AlignVCenter);
            lastTop = middle - metrics.height() / 2;
        }
    }
    if (!m_data.x.label.isEmpty()) {
        addText({axes.center().x(), size.height() - 1}, m_data.x.label, quiet, m_theme.tick(),
            Qt::AlignHCenter | Qt::AlignBottom);
    }
    if (!m_data.y.label.isEmpty()) {
        QCPItemText& label
            = addText({1, axes.center().y()}, m_data.y.label, quiet, m_theme.tick(), Qt::AlignHCenter | Qt::AlignTop);
        label.setRotation(-90);
    }
}

void PlotEngine::buildHeat()
{
    if (!m_data.heat) {
        if (m_heat != nullptr) {
            m_heat->setVisible(false);
        }
        return;
    }
    if (m_heat == nullptr) {
        m_heat = new QCPColorMap(m_plot->xAxis, m_plot->yAxis);
        m_heat->setInterpolate(false);
        m_heat->setTightBoundary(true);
        m_heat->setAntialiased(false);
    }
    m_heat->setVisible(true);
    const PlotHeat& heat = *m_data.heat;
    const auto columns = static_cast<int>(heat.columns);
    const auto rows = static_cast<int>(heat.rows);
    QCPColorMapData* cells = m_heat->data();
    cells->setSize(columns, rows);
    cells->setRange(QCPRange(0, 1), QCPRange(0, 1));
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const double share = heat.values[static_cast<std::size_t>(row) * heat.columns + static_cast<std::size_t>(column)];
            cells->setCell(column, row, share > 1 ? 2 : share);
        }
    }
    QCPColorGradient gradient;
    gradient.setColorInterpolation(QCPColorGradient::ciRGB);
    gradient.setColorStopAt(0, m_theme.dark ? QColor(0x2C, 0x35, 0x3E) : QColor(0xE3, 0xEE, 0xF5));
    gradient.setColorStopAt(0.25, m_theme.dark ? QColor(0x2B, 0x5C, 0x80) : QColor(0x8F, 0xC0, 0xDE));
    gradient.setColorStopAt(0.5, m_theme.dark ? m_theme.color(Role::Cache) : m_theme.color(Role::Cache));
    gradient.setColorStopAt(0.505, m_theme.color(Role::LimitWash));
    gradient.setColorStopAt(1, m_theme.color(Role::LimitWash));
    m_heat->setGradient(gradient);
    m_heat->setDataRange(QCPRange(0, 2));
}

void PlotEngine::buildBars()
{
    for (const PlotBar& bar : m_data.bars) {
        const QColor color = m_theme.color(bar.role);
        const QPointF low = place({bar.left, bar.bottom});
        const QPointF high = place({bar.right, bar.top});
        QCPItemRect& rect = nextRect();
        rect.setPen(Qt::NoPen);
        rect.setBrush(color);
        rect.topLeft->setCoords(low.x(), high.y());
        rect.bottomRight->setCoords(high.x(), low.y());
        if (bar.place == PlotBar::LabelPlace::None || bar.label.isEmpty()) {
            continue;
        }
        const QPointF corner = m_layout.pixel(m_data, {bar.left, bar.top});
        const QPointF other = m_layout.pixel(m_data, {bar.right, bar.bottom});
        const QFont font = bar.strong ? m_theme.strong() : m_theme.tick();
        const QPointF middle = (corner + other) / 2;
        switch (bar.place) {
        case PlotBar::LabelPlace::Above:
            addText({middle.x(), corner.y() - 2}, bar.label, m_theme.color(Role::Text), font,
                Qt::AlignHCenter | Qt::AlignBottom);
            break;
        case PlotBar::LabelPlace::Inside:
            if (QFontMetricsF(m_theme.tick()).horizontalAdvance(bar.label) < other.x() - corner.x() - 4) {
                addText(middle, bar.label, inkOn(color), m_theme.tick(), Qt::AlignCenter);
            }
            break;
        case PlotBar::LabelPlace::Right:
            addText({other.x() + 6, middle.y()}, bar.label, m_theme.color(Role::Text), font,
                Qt::AlignLeft | Qt::AlignVCenter);
            break;
        case PlotBar::LabelPlace::None:
            break;
        }
    }
}

void PlotEngine::buildLines()
{
    const QRectF axes = m_layout.axes;
    for (const PlotLine& line : m_data.lines) {
        const bool horizontal = line.orientation == Qt::Horizontal;
        const double share = shareOf(horizontal ? m_data.y : m_data.x, line.at);
        if (share < 0 || share > 1) {
            continue;
        }
        const QColor color = m_theme.color(line.role);
        QCPItemLine& item = nextLine(QStringLiteral("axes"));
        item.setPen(penOf(color, 1, line.dash));
        item.start->setCoords(horizontal ? QPointF(0, share) : QPointF(share, 0));
        item.end->setCoords(horizontal ? QPointF(1, share) : QPointF(share, 1));
        if (line.label.isEmpty()) {
            continue;
        }
        if (horizontal) {
            addText({axes.right() - 2, axes.bottom() - share * axes.height() - 1}, line.label, color, m_theme.tick(),
                Qt::AlignRight | Qt::AlignBottom);
        } else {
            const double x = axes.left() + share * axes.width();
            const bool leftHalf = share < 0.7;
            addText({x + (leftHalf ? 5 : -5), axes.bottom() - 1}, line.label, color, m_theme.strong(),
                (leftHalf ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignBottom);
        }
    }
}

void PlotEngine::buildSeries()
{
    const double width = 1.5 * (m_theme.typeScale > 1 ? 1.6 : 1);
    for (std::size_t i = 0; i < m_data.series.size(); ++i) {
        const PlotSeries& series = m_data.series[i];
        const QColor color = m_theme.color(series.role);
        QCPGraph& graph = nextGraph(QStringLiteral("axes"));
        QVector<double> x;
        QVector<double> y;
        x.reserve(static_cast<qsizetype>(series.points.size()));
        y.reserve(static_cast<qsizetype>(series.points.size()));
        for (const QPointF& point : series.points) {
            const QPointF at = place(point);
            if (std::isfinite(at.x()) && std::isfinite(at.y())) {
                x.push_back(at.x());
                y.push_back(at.y());
            }
        }
        graph.setData(x, y, true);
        graph.setPen(penOf(color, series.strong ? width * 1.4 : width, series.dash));
        graph.setScatterStyle(series.markers
                ? QCPScatterStyle(QCPScatterStyle::ssDisc, color, m_theme.color(Role::Card), markerDiameter)
                : QCPScatterStyle(QCPScatterStyle::ssNone));
        if (m_layout.endLabels[i] >= 0) {
            QFont font = m_theme.tick();
            font.setWeight(series.strong ? QFont::Bold : QFont::Medium);
            addText({m_layout.axes.right() + 8, m_layout.endLabels[i]}, series.name, color, font,
                Qt::AlignLeft | Qt::AlignVCenter);
        }
    }
}

void PlotEngine::buildPoint()
{
    if (!m_data.point) {
        return;
    }
    const QPointF at = place(m_data.point->at);
    if (!std::isfinite(at.x()) || !std::isfinite(at.y())) {
        return;
    }
    QCPGraph& graph = nextGraph(QStringLiteral("legend"));
    graph.setData({at.x()}, {at.y()}, true);
    graph.setPen(Qt::NoPen);
    graph.setScatterStyle(QCPScatterStyle(
        QCPScatterStyle::ssDisc, QPen(m_theme.color(Role::Card), 2), QBrush(m_theme.color(Role::Point)), pointDiameter));
    if (!m_data.point->label.isEmpty()) {
        const QPointF pixel = m_layout.pixel(m_data, m_data.point->at);
        const double width = QFontMetricsF(m_theme.strong()).horizontalAdvance(m_data.point->label);
        const bool roomLeft = pixel.x() - width - 14 > m_layout.axes.left();
        addText({pixel.x() + (roomLeft ? -11 : 11), pixel.y()}, m_data.point->label, m_theme.color(Role::Text),
            m_theme.strong(), (roomLeft ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
}

void PlotEngine::buildTexts()
{
    for (const PlotText& text : m_data.texts) {
        addText(m_layout.pixel(m_data, text.at), text.text, m_theme.color(text.role),
            text.strong ? m_theme.strong() : m_theme.tick(), text.alignment);
    }
}

QCPItemRect& PlotEngine::nextRect()
{
    if (m_usedRects == m_rects.size()) {
        m_rects.push_back(new QCPItemRect(m_plot));
        m_rects.back()->setAntialiased(false);
        m_rects.back()->setLayer(QStringLiteral("main"));
    }
    QCPItemRect& rect = *m_rects[m_usedRects++];
    rect.setVisible(true);
    return rect;
}

QCPItemLine& PlotEngine::nextLine(const QString& layer)
{
    if (m_usedLines == m_lines.size()) {
        m_lines.push_back(new QCPItemLine(m_plot));
        m_lines.back()->setAntialiased(false);
    }
    QCPItemLine& line = *m_lines[m_usedLines++];
    line.setLayer(layer);
    line.setVisible(true);
    return line;
}

QCPItemText& PlotEngine::nextText()
{
    if (m_usedTexts == m_texts.size()) {
        m_texts.push_back(new QCPItemText(m_plot));
        m_texts.back()->setClipToAxisRect(false);
        m_texts.back()->setPen(Qt::NoPen);
        m_texts.back()->setBrush(Qt::NoBrush);
        m_texts.back()->setLayer(QStringLiteral("overlay"));
    }
    QCPItemText& text = *m_texts[m_usedTexts++];
    text.setVisible(true);
    text.setRotation(0);
    text.setTextAlignment(Qt::AlignLeft);
    return text;
}

QCPGraph& PlotEngine::nextGraph(const QString& layer)
{
    if (m_usedGraphs == m_graphs.size()) {
        m_graphs.push_back(m_plot->addGraph());
        m_graphs.back()->setAntialiased(true);
        m_graphs.back()->setAntialiasedScatters(true);
    }
    QCPGraph& graph = *m_graphs[m_usedGraphs++];
    graph.setLayer(layer);
    graph.setVisible(true);
    return graph;
}

QCPItemText& PlotEngine::addText(
    QPointF position, const QString& text, const QColor& color, const QFont& font, Qt::Alignment alignment)
{
    QCPItemText& item = nextText();
    item.position->setType(QCPItemPosition::ptAbsolute);
    item.position->setCoords(position);
    item.setPositionAlignment(alignment);
    item.setText(text);
    item.setColor(color);
    item.setFont(font);
    return item;
}

} // namespace kvplan
