// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_engine.h"

#include <qcustomplot.h>

#include <cmath>
#include <functional>
#include <utility>

namespace kvplan {

namespace {

constexpr double markerDiameter = 6;
constexpr double lineWidth = 1.5;
constexpr double strongLineWidth = 2;

} // namespace

/// A layer of the plot that a function paints.
class PlotEngine::Layer : public QCPAbstractItem {
public:
    Layer(QCustomPlot* plot, const QString& layer, std::function<void(QPainter&)> paint)
        : QCPAbstractItem(plot)
        , m_paint(std::move(paint))
    {
        setClipToAxisRect(false);
        setSelectable(false);
        setAntialiased(false);
        setLayer(layer);
    }

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override { m_paint(*painter); }

private:
    std::function<void(QPainter&)> m_paint;
};

PlotEngine::PlotEngine(QWidget* parent)
    : m_plot(new QCustomPlot(parent))
{
    m_plot->setInteractions(QCP::Interactions());
    m_plot->setNoAntialiasingOnDrag(false);
    m_plot->setPlottingHint(QCP::phImmediateRefresh, false); // one flush for all cards, not one each
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->axisRect()->setMinimumMargins(QMargins());
    m_plot->plotLayout()->setMargins(QMargins());
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis, m_plot->xAxis2, m_plot->yAxis2}) {
        axis->setRange(0, 1);
        axis->setTicks(false);
        axis->setTickLabels(false);
        axis->setBasePen(Qt::NoPen);
        axis->grid()->setVisible(false);
        axis->setVisible(false);
    }
    const auto layer = [&](const char* name, auto paint) {
        new Layer(m_plot, QString::fromLatin1(name), [this, paint](QPainter& painter) {
            if (m_data.message.isEmpty()) {
                paint(painter);
            }
        });
    };
    layer("grid", [this](QPainter& painter) { m_painter.paintGrid(painter, m_data, m_layout, m_theme); });
    layer("main", [this](QPainter& painter) {
        m_painter.paintLines(painter, m_data, m_layout, m_theme, true);
        m_painter.paintBars(painter, m_data, m_layout, m_theme);
        m_painter.paintLines(painter, m_data, m_layout, m_theme, false);
    });
    layer("overlay", [this](QPainter& painter) { m_painter.paintPoint(painter, m_data, m_layout, m_theme); });
    new Layer(m_plot, QStringLiteral("legend"),
        [this](QPainter& painter) { m_painter.paintLabels(painter, m_labels, m_theme); });
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
    m_usedGraphs = 0;
    m_plot->setBackground(QBrush(m_theme.color(Role::Card)));
    m_layout = layOut(m_data, size, m_theme);
    const QRectF axes = m_layout.axes;
    m_plot->axisRect()->setMargins(QMargins(static_cast<int>(axes.left()), static_cast<int>(axes.top()),
        static_cast<int>(std::round(size.width() - axes.right())),
        static_cast<int>(std::round(size.height() - axes.bottom()))));
    const bool plotted = m_data.message.isEmpty();
    m_labels = plotted ? placeLabels(m_data, m_layout, size, m_theme) : placeMessage(m_data.message, size, m_theme);
    buildHeat();
    if (plotted) {
        buildSeries();
    }
    for (std::size_t i = m_usedGraphs; i < m_graphs.size(); ++i) {
        m_graphs[i]->setVisible(false);
    }
}

void PlotEngine::buildHeat()
{
    if (!m_data.heat || !m_data.message.isEmpty()) {
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
        m_heat->setLayer(QStringLiteral("grid"));
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
            const double share
                = heat.values[static_cast<std::size_t>(row) * heat.columns + static_cast<std::size_t>(column)];
            cells->setCell(column, row, share > 1 ? 2 : share);
        }
    }
    QCPColorGradient gradient;
    gradient.setColorInterpolation(QCPColorGradient::ciRGB);
    gradient.setColorStopAt(0, m_theme.dark ? QColor(0x2C, 0x35, 0x3E) : QColor(0xE3, 0xEE, 0xF5));
    gradient.setColorStopAt(0.25, m_theme.dark ? QColor(0x2B, 0x5C, 0x80) : QColor(0x8F, 0xC0, 0xDE));
    gradient.setColorStopAt(0.5, m_theme.color(Role::Cache));
    gradient.setColorStopAt(0.505, m_theme.color(Role::LimitWash));
    gradient.setColorStopAt(1, m_theme.color(Role::LimitWash));
    m_heat->setGradient(gradient);
    m_heat->setDataRange(QCPRange(0, 2));
}

void PlotEngine::buildSeries()
{
    const double factor = m_theme.typeScale > 1 ? 1.6 : 1;
    for (const PlotSeries& series : m_data.series) {
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
        graph.setPen(penOf(color, factor * (series.strong ? strongLineWidth : lineWidth), series.dash));
        graph.setScatterStyle(series.markers ? QCPScatterStyle(QCPScatterStyle::ssCircle,
                                  QPen(m_theme.color(Role::Card), 1), QBrush(color), markerDiameter)
                                             : QCPScatterStyle(QCPScatterStyle::ssNone));
    }
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

} // namespace kvplan
