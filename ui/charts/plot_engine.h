// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_data.h"
#include "ui/charts/plot_layout.h"
#include "ui/charts/plot_painter.h"

#include <vector>

class QCPColorMap;
class QCPGraph;
class QCPPainter;
class QCustomPlot;
class QWidget;

namespace kvplan {

/// Turns a PlotData into QCustomPlot's objects. Private to PlotView. Data live on plain axes from 0 to 1: scales, ticks
/// and margins are PlotLayout's, so that nothing depends on how QCustomPlot treats logarithms. Graphs are kept and
/// reused; those that new data do not need are hidden.
class PlotEngine {
public:
    explicit PlotEngine(QWidget* parent);
    ~PlotEngine();

    QCustomPlot& plot() const { return *m_plot; }
    const PlotData& data() const { return m_data; }
    const PlotLayout& layout() const { return m_layout; }
    const std::vector<PlacedLabel>& labels() const { return m_labels; }
    const Theme& theme() const { return m_theme; }
    int redraws() const { return m_redraws; }

    void setData(const PlotData& data) { m_data = data; }
    void setTheme(const Theme& theme) { m_theme = theme; }

    /// Lays out for the widget's size and draws when the event loop comes round.
    void draw();
    /// Lays out for `size` and draws with `painter`, from its origin.
    void paint(QCPPainter& painter, QSize size);

private:
    class Layer;

    void build(QSizeF size);
    void buildHeat();
    void buildSeries();

    QPointF place(QPointF value) const; ///< in the plot's own axes, 0 to 1
    QCPGraph& nextGraph(const QString& layer);

    QCustomPlot* m_plot; ///< owned by the parent widget
    PlotData m_data;
    PlotLayout m_layout;
    std::vector<PlacedLabel> m_labels;
    PlotPainter m_painter;
    Theme m_theme;
    int m_redraws = 0;

    std::vector<QCPGraph*> m_graphs;
    QCPColorMap* m_heat = nullptr;
    std::size_t m_usedGraphs = 0;
};

} // namespace kvplan
