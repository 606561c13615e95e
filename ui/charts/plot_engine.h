// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_data.h"
#include "ui/charts/plot_layout.h"

#include <memory>
#include <vector>

class QCPColorMap;
class QCPGraph;
class QCPItemLine;
class QCPItemRect;
class QCPItemText;
class QCPPainter;
class QCustomPlot;
class QWidget;

namespace kvplan {

/// Turns a PlotData into QCustomPlot's objects. Private to PlotView. Data live on plain axes from 0 to 1: scales, ticks
/// and margins are PlotLayout's, so that nothing depends on how QCustomPlot treats logarithms. Objects are kept and
/// reused; those that new data do not need are hidden.
class PlotEngine {
public:
    explicit PlotEngine(QWidget* parent);
    ~PlotEngine();

    QCustomPlot& plot() const { return *m_plot; }
    const PlotData& data() const { return m_data; }
    const PlotLayout& layout() const { return m_layout; }
    int redraws() const { return m_redraws; }

    void setData(const PlotData& data) { m_data = data; }
    void setTheme(const Theme& theme) { m_theme = theme; }

    /// Lays out for the widget's size and draws.
    void draw();
    /// Lays out for `size` and draws with `painter`, from its origin.
    void paint(QCPPainter& painter, QSize size);

private:
    void build(QSizeF size);
    void buildAxes(QSizeF size);
    void buildHeat();
    void buildBars();
    void buildLines();
    void buildSeries();
    void buildPoint();
    void buildTexts();

    QPointF place(QPointF value) const; ///< in the plot's own axes, 0 to 1
    QCPItemRect& nextRect();
    QCPItemLine& nextLine(const QString& layer);
    QCPItemText& nextText();
    QCPGraph& nextGraph(const QString& layer);
    QCPItemText& addText(QPointF position, const QString& text, const QColor& color, const QFont& font,
        Qt::Alignment alignment);

    QCustomPlot* m_plot; ///< owned by the parent widget
    PlotData m_data;
    PlotLayout m_layout;
    Theme m_theme;
    int m_redraws = 0;

    std::vector<QCPItemRect*> m_rects;
    std::vector<QCPItemLine*> m_lines;
    std::vector<QCPItemText*> m_texts;
    std::vector<QCPGraph*> m_graphs;
    QCPColorMap* m_heat = nullptr;
    std::size_t m_usedRects = 0;
    std::size_t m_usedLines = 0;
    std::size_t m_usedTexts = 0;
    std::size_t m_usedGraphs = 0;
};

} // namespace kvplan
