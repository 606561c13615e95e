// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_layout.h"

#include "ui/charts/text_size.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kvplan {

namespace {

constexpr double tickGap = PlotLayout::tickGap;
constexpr double endGap = PlotLayout::endGap;
constexpr double labelGap = 4; ///< between the ticks' words and the axis' label
constexpr double thickestColumn = 88;
constexpr double thickestRow = 24;
constexpr double nameShare = 0.3; ///< of the width, before a series' name takes two lines
constexpr double longestNameShare = 0.4; ///< of the width, before it is cut

double widestTick(const PlotAxis& axis, const QFont& font)
{
    double width = 0;
    for (const Tick& tick : axis.ticks) {
        width = std::max(width, textSize(tick.text, font).width());
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
    return {
        axes.left() + shareOf(data.x, at.x()) * axes.width(), axes.bottom() - shareOf(data.y, at.y()) * axes.height()};
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

QRectF PlotLayout::barBox(const PlotData& data, const PlotBar& bar) const
{
    QRectF box = QRectF(pixel(data, {bar.left, bar.top}), pixel(data, {bar.right, bar.bottom})).normalized();
    const QPointF middle = box.center();
    if (data.barsGrow == BarsGrow::Up && box.width() > thickestColumn) {
        box.setWidth(thickestColumn);
    } else if (data.barsGrow == BarsGrow::Right && box.height() > thickestRow) {
        box.setHeight(thickestRow);
    }
    box.moveCenter(middle);
    const QPointF corner(std::round(box.left()), std::round(box.top()));
    const QPointF other(std::round(box.right()), std::round(box.bottom()));
    // What is there is seen, however little it is.
    return {corner, QPointF(std::max(other.x(), corner.x() + 1), std::max(other.y(), corner.y() + 1))};
}

QString cutTo(const QString& text, const QFont& font, double most)
{
    return textSize(text, font).width() <= most ? text : QFontMetricsF(font).elidedText(text, Qt::ElideRight, most);
}

QStringList inLines(const QString& text, const QFont& font, double comfortable, double most)
{
    if (textSize(text, font).width() <= comfortable) {
        return {text};
    }
    qsizetype best = -1;
    double least = 0;
    for (qsizetype at = text.indexOf(QLatin1Char(' ')); at > 0; at = text.indexOf(QLatin1Char(' '), at + 1)) {
        const double widest = std::max(textSize(text.left(at), font).width(), textSize(text.mid(at + 1), font).width());
        if (best < 0 || widest < least) {
            best = at;
            least = widest;
        }
    }
    if (best < 0) {
        return {cutTo(text, font, most)};
    }
    return {cutTo(text.left(best), font, most), cutTo(text.mid(best + 1), font, most)};
}

namespace {

/// Pixels that the words right of columns lack in a plot of this width.
double missingBeside(const PlotData& data, const QFont& font, double width)
{
    double missing = 0;
    for (const PlotBar& bar : data.bars) {
        if (data.barsGrow == BarsGrow::Up && bar.place == PlotBar::LabelPlace::Right) {
            const double room = (data.x.high - bar.right) / (data.x.high - data.x.low) * width;
            missing = std::max(missing, textSize(bar.label, font).width() + 8 - room);
        }
    }
    // The columns get narrower for it, and with them the room that there was.
    return missing * 1.25;
}

/// The series' names at their ends, spread, and the lines they take.
void layOutNames(PlotLayout& layout, const PlotData& data, double line)
{
    std::vector<double> wanted;
    std::size_t lines = 1;
    for (std::size_t i = 0; i < data.series.size(); ++i) {
        if (!data.series[i].name.isEmpty() && !data.series[i].points.empty()) {
            wanted.push_back(layout.pixel(data, data.series[i].points.back()).y());
            lines = std::max(lines, static_cast<std::size_t>(layout.names[i].size()));
        }
    }
    const double height = line * static_cast<double>(lines);
    wanted = spread(
        std::move(wanted), height, layout.axes.top() + (height - line) / 2, layout.axes.bottom() - (height - line) / 2);
    std::size_t next = 0;
    for (const PlotSeries& series : data.series) {
        const bool named = !series.name.isEmpty() && !series.points.empty();
        layout.endLabels.push_back(named ? wanted[next++] : -1);
    }
}

} // namespace

PlotLayout layOut(const PlotData& data, QSizeF size, const Theme& theme)
{
    const QFont ticks = theme.tick();
    QFont names = theme.tick();
    names.setWeight(QFont::Medium);
    const double line = textSize({}, ticks).height();

    PlotLayout layout;
    double left = widestTick(data.y, ticks);
    left = left > 0 ? left + tickGap : 1;
    if (!data.y.label.isEmpty()) {
        left += line + labelGap;
    }
    double right = 10;
    for (const PlotSeries& series : data.series) {
        layout.names.push_back(inLines(series.name, names, nameShare * size.width(), longestNameShare * size.width()));
        for (const QString& part : layout.names.back()) {
            if (!series.name.isEmpty() && !series.points.empty()) {
                right = std::max(right, textSize(part, names).width() + endGap + 2);
            }
        }
    }
    if (!data.x.categories && !data.x.ticks.empty() && !data.x.ticks.back().text.isEmpty()) {
        right = std::max(right, textSize(data.x.ticks.back().text, ticks).width() / 2 + 2);
    }
    right += missingBeside(data, ticks, size.width() - left - right);
    const double width = std::max(20.0, std::floor(size.width() - std::ceil(left) - right));

    double bottom = hasTickWords(data.x) ? line + tickGap : 1;
    if (data.x.categories) {
        // Words too wide for their column stand on two lines by turns.
        const double column = width / (data.x.high - data.x.low);
        const bool byTurns = widestTick(data.x, ticks) > column - 4;
        for (std::size_t i = 0; i < data.x.ticks.size(); ++i) {
            const QString word = cutTo(data.x.ticks[i].text, ticks, byTurns ? 2 * column - 6 : column);
            layout.categories.push_back(byTurns && i % 2 == 1 ? QStringList{QString(), word} : QStringList{word});
        }
        bottom += byTurns ? line : 0;
    }
    if (!data.x.label.isEmpty()) {
        bottom += line + labelGap;
    }
    // Whole pixels, so that bars and grid lines stay crisp. The margin above holds half a tick's word, or a bar's
    // value.
    const bool valuesAbove
        = std::ranges::any_of(data.bars, [](const PlotBar& bar) { return bar.place == PlotBar::LabelPlace::Above; });
    const double top = std::ceil(valuesAbove ? line : line * 0.5);
    layout.axes = QRectF(std::ceil(left), top, width, std::max(20.0, std::floor(size.height() - top - bottom)));
    layOutNames(layout, data, line);
    return layout;
}

} // namespace kvplan
