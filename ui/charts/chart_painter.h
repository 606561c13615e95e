// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <QRect>
#include <QSize>
#include <QString>

#include <functional>
#include <memory>

class QPaintDevice;
class QPainter;

namespace kvplan {

class PlotView;

/// A painter on some surface that draws plots as vectors, with live text, where the surface can hold them.
class ChartPainter {
public:
    explicit ChartPainter(QPaintDevice& surface);
    ~ChartPainter();

    QPainter& painter();
    void drawPlot(PlotView& plot, QRect where);

private:
    class Vector;
    std::unique_ptr<Vector> m_vector;
};

/// Writes a picture of `size` (in pixels of scale 1) to a file that ends in png, svg or pdf; a PNG has `scale` times as
/// many pixels. On failure what was there stays.
Result<void> writePicture(
    const QString& path, QSize size, double scale, const std::function<void(ChartPainter&)>& draw);

} // namespace kvplan
