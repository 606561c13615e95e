// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_data.h"
#include "ui/charts/plot_labels.h"

#include <QWidget>

#include <memory>
#include <vector>

class QCPPainter;

namespace kvplan {

/// Draws a PlotData with QCustomPlot, and nothing else knows that it does. Showing new data reuses what is there.
class PlotView : public QWidget {
    Q_OBJECT

public:
    explicit PlotView(QWidget* parent = nullptr);
    ~PlotView() override;

    void show(const PlotData& data);
    const PlotData& data() const;
    void setTheme(const Theme& theme);

    /// Draws the plot without its title; see ChartPainter.
    void paintPlot(QCPPainter& painter, QSize size);

    /// Pixels of a place in the axes' units, within this widget.
    QPointF pixelOf(QPointF value) const;

    /// The words as they stand.
    const std::vector<PlacedLabel>& labels() const;

    /// How often the plot was drawn anew.
    int redraws() const;
    /// Ratio of the buffer's pixels to the widget's; follows the screen.
    double bufferRatio() const;

    QSize sizeHint() const override { return {360, 240}; }

signals:
    /// The operating point is being carried to this place.
    void pointMoved(QPointF value);
    void pointReleased();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void followScreen();
    void hover(QPointF position);
    bool nearPoint(QPointF position) const;

    class Engine;
    std::unique_ptr<Engine> m_engine;
    bool m_dragging = false;
};

} // namespace kvplan
