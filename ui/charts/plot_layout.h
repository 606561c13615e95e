// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_data.h"

#include <QFont>
#include <QRectF>
#include <QSize>
#include <QStringList>

#include <vector>

namespace kvplan {

/// Where a plot's parts lie on a surface of some size. Pure: the renderer draws by it and tests judge it.
struct PlotLayout {
    QRectF axes; ///< the rectangle of the data
    std::vector<double> endLabels; ///< y of the middle of each series' name, in the order of the series; -1: none
    std::vector<QStringList> names; ///< of the series, in lines
    std::vector<QStringList>
        categories; ///< words of the x ticks, in lines of which the first may be empty; for categories

    static constexpr double tickGap = 6; ///< between an axis and its words
    static constexpr double endGap = 8; ///< between a series' end and its name

    /// Pixels of a place in the axes' units.
    QPointF pixel(const PlotData& data, QPointF at) const;
    /// The other way.
    QPointF value(const PlotData& data, QPointF pixel) const;
    /// A bar on whole pixels, no thicker than reads well.
    QRectF barBox(const PlotData& data, const PlotBar& bar) const;
};

/// Share of the axis, 0 at its low end and 1 at its high one.
double shareOf(const PlotAxis& axis, double value);
double valueAt(const PlotAxis& axis, double share);

/// Margins that hold the ticks' words, the axes' labels and the series' names; names are spread so that none touches
/// another or leaves the surface.
PlotLayout layOut(const PlotData& data, QSizeF size, const Theme& theme);

/// Words in at most two lines, broken at a space where they are wider than `comfortable` pixels and cut only where a
/// line is wider than `most`.
QStringList inLines(const QString& text, const QFont& font, double comfortable, double most);

/// One line of at most this many pixels; an ellipsis stands for what is cut.
QString cutTo(const QString& text, const QFont& font, double most);

/// Moves `wanted` middles apart to at least `gap`, within low … high, keeping their order and staying near.
std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high);

} // namespace kvplan
