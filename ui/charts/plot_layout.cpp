// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kvplan {

namespace {

constexpr double tickGap = 6; ///< between an axis and its words
constexpr double labelGap = 4; ///< between the ticks' words and the axis' label
constexpr double endGap = 8; ///< between a series' end and its name

double widestTick(const PlotAxis& axis, const QFontMetricsF& metrics)
{
    double width = 0;
    for (const Tick& tick : axis.ticks) {
        width = std::max(width, metrics.horizontalAdvance(tick.text));
    }
    return width;
}

bool hasTickWords(const PlotAxis& axis)
{
    return std::ranges::any_of(axis.ticks, [](const Tick& tick) { return !tick.text.isEmpty(); });
}

} // namespace

double shareOf(const PlotAxis& axis, double value)
{
    if (axis.scale == AxisScale::Logarithmic) {
        return std::log(std::max(value, 1e-300) / axis.low) / std::log(axis.high / axis.low);
    }
    return (value - axis.low) / (axis.high - axis.low);
}

double valueAt(const PlotAxis& axis, double share)
{
    return axis.scale == AxisScale::Logarithmic ? axis.low * std::pow(axis.high / axis.low, share)
                                                : axis.low + share * (axis.high - axis.low);
}

QPointF PlotLayout::pixel(const PlotData& data, QPointF at) const
{
    return {axes.left() + shareOf(data.x, at.x()) * axes.width(), axes.bottom() - shareOf(data.y, at.y()) * axes.height()};
}

QPointF PlotLayout::value(const PlotData& data, QPointF pixel) const
{
    return {valueAt(data.x, (pixel.x() - axes.left()) / axes.width()),
        valueAt(data.y, (axes.bottom() - pixel.y()) / axes.height())};
}

std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high)
{
    if (wanted.empty()) {
        return wanted;
    }
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return wanted[i]; });
    const double room = (high - low) / std::max<double>(1, static_cast<double>(wanted.size()) - 1);
    const double step = std::min(gap, room);
    double least = low;
    for (const std::size_t i : order) {
        wanted[i] = std::max(wanted[i], least);
        least = wanted[i] + step;
    }
    double most = high;
    for (auto i = order.rbegin(); i != order.rend(); ++i) {
        wanted[*i] = std::min(wanted[*i], most);
        most = wanted[*i] - step;
    }
    return wanted;
}

PlotLayout layOut(const PlotData& data, QSizeF size, const Theme& theme)
{
    const QFontMetricsF ticks(theme.tick());
    const QFontMetricsF names(theme.strong());
    const double line = ticks.height();

    double left = widestTick(data.y, ticks);
    left = left > 0 ? left + tickGap : 1;
    if (!data.y.label.isEmpty()) {
        left += line + labelGap;
    }
    double bottom = hasTickWords(data.x) ? line + tickGap : 1;
    if (!data.x.label.isEmpty()) {
        bottom += line + labelGap;
    }
    double right = 10;
    for (const PlotSeries& series : data.series) {
        if (!series.name.isEmpty()) {
            right = std::max(right, names.horizontalAdvance(series.name) + endGap + 2);
        }
    }
    if (!data.x.ticks.empty() && !data.x.ticks.back().text.isEmpty()) {
        right = std::max(right, ticks.horizontalAdvance(data.x.ticks.back().text) / 2 + 2);
    }
    const double top = line * 0.75;

    PlotLayout layout;
    // Whole pixels, so that bars and grid lines stay crisp.
    layout.axes = QRectF(std::ceil(left), std::ceil(top), std::max(20.0, std::floor(size.width() - left - right)),
        std::max(20.0, std::floor(size.height() - top - bottom)));

    std::vector<double> wanted;
    for (const PlotSeries& series : data.series) {
        if (!series.name.isEmpty() && !series.points.empty()) {
            wanted.push_back(layout.pixel(data, series.points.back()).y());
        }
    }
    wanted = spread(std::move(wanted), names.height(), layout.axes.top(), layout.axes.bottom());
    std::size_t next = 0;
    for (const PlotSeries& series : data.series) {
        const bool named = !series.name.isEmpty() && !series.points.empty();
        layout.endLabels.push_back(named ? wanted[next++] : -1);
    }
    return layout;
}

} // namespace kvplan
