// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QPointF>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace kvplan {

enum class AxisScale { Linear, Logarithmic };

struct Tick {
    double at = 0;
    QString text; ///< empty: a grid line without a word
    friend bool operator==(const Tick&, const Tick&) = default;
};

struct PlotAxis {
    QString label; ///< with its unit; empty: none
    AxisScale scale = AxisScale::Linear;
    double low = 0;
    double high = 1; ///< above low; both positive when logarithmic
    std::vector<Tick> ticks;
    bool grid = true;
    bool categories = false; ///< ticks name things: each is said, on two lines if need be
    friend bool operator==(const PlotAxis&, const PlotAxis&) = default;
};

enum class Dash { Solid, Dashed, Dotted, DashDotted };

struct PlotSeries {
    QString name; ///< stands at its end
    Role role = Role::Cache;
    Dash dash = Dash::Solid;
    bool strong = false; ///< the scenario's own
    bool markers = false;
    std::vector<QPointF> points; ///< rising in x
    friend bool operator==(const PlotSeries&, const PlotSeries&) = default;
};

/// A rectangle in the axes' units, with a word on it or beside it.
struct PlotBar {
    enum class LabelPlace { None, Above, Inside, Right };
    double left = 0;
    double right = 0;
    double bottom = 0;
    double top = 0;
    Role role = Role::Cache;
    QString label;
    LabelPlace place = LabelPlace::None;
    bool strong = false;
    friend bool operator==(const PlotBar&, const PlotBar&) = default;
};

/// Which way bars grow; across it they are never thicker than reads well.
enum class BarsGrow { Up, Right };

/// A span in an axis' units.
struct PlotSpan {
    double from = 0;
    double to = 0;
    friend bool operator==(const PlotSpan&, const PlotSpan&) = default;
};

/// A line at one value, across the whole plot or a part of it.
struct PlotLine {
    Qt::Orientation orientation = Qt::Horizontal;
    double at = 0;
    Role role = Role::Limit;
    Dash dash = Dash::Dashed;
    QString label;
    std::optional<PlotSpan> part = std::nullopt; ///< along the line
    bool below = false; ///< drawn under the bars
    friend bool operator==(const PlotLine&, const PlotLine&) = default;
};

/// Words at a place in the axes' units.
struct PlotText {
    QPointF at;
    QString text;
    Role role = Role::Text;
    Qt::Alignment alignment = Qt::AlignCenter; ///< which part of the words lies at the place
    bool strong = false;
    bool seeksRoom = false; ///< may stand on any side of the place, wherever least is covered
    friend bool operator==(const PlotText&, const PlotText&) = default;
};

/// Cells between two corners in the axes' units, equally wide on their scales. Values above 1 breach the limit.
struct PlotHeat {
    std::size_t columns = 0;
    std::size_t rows = 0;
    std::vector<double> values; ///< row-major, from the bottom
    friend bool operator==(const PlotHeat&, const PlotHeat&) = default;
};

/// The scenario's own place, the same disc on every chart.
struct OperatingPoint {
    QPointF at;
    QString label;
    bool draggable = false;
    friend bool operator==(const OperatingPoint&, const OperatingPoint&) = default;
};

/// What a chart shows: everything a renderer needs and nothing of how. A value.
struct PlotData {
    QString title; ///< a question
    QString subtitle; ///< unit and conditions
    QString message; ///< instead of a plot: why there is none
    PlotAxis x;
    PlotAxis y;
    std::vector<PlotSeries> series;
    std::vector<PlotBar> bars;
    BarsGrow barsGrow = BarsGrow::Up;
    std::vector<PlotLine> lines;
    std::vector<PlotText> texts;
    std::optional<PlotHeat> heat;
    std::optional<OperatingPoint> point;
    QString summary; ///< the chart in one sentence, for a screen reader
    QString footnote; ///< a quiet line below the plot
    friend bool operator==(const PlotData&, const PlotData&) = default;
};

} // namespace kvplan
