// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/curves.h"
#include "ui/charts/numbers.h"
#include "ui/charts/plot_layout.h"
#include "ui/charts/presenters.h"

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

/// "does not fit" in the upper right, where cells breach and away from the operating point.
void nameTheBreach(PlotData& data)
{
    const PlotHeat& heat = *data.heat;
    const double pointX = shareOf(data.x, data.point->at.x());
    const double pointY = shareOf(data.y, data.point->at.y());
    for (const QPointF share : {QPointF(0.97, 0.95), QPointF(0.97, 0.78), QPointF(0.97, 0.62)}) {
        const auto column = static_cast<std::size_t>(share.x() * static_cast<double>(heat.columns));
        const auto row = static_cast<std::size_t>((share.y() - 0.1) * static_cast<double>(heat.rows));
        const bool breaches = heat.values[row * heat.columns + column] > 1;
        const bool taken = pointX > share.x() - 0.5 && std::abs(pointY - (share.y() - 0.06)) < 0.13;
        if (breaches && !taken) {
            data.texts.push_back({QPointF(valueAt(data.x, share.x()), valueAt(data.y, share.y())),
                QStringLiteral("does not fit"), Role::Limit, Qt::AlignRight | Qt::AlignTop, true});
            return;
        }
    }
}

} // namespace

PlotData fitMapChart(const Scenario& scenario, const Plan& plan)
{
    PlotData data;
    data.title = QStringLiteral("Where is the edge?");
    data.subtitle = QStringLiteral("share of the pool in use, context × sequences");
    FitMap map = fitMap(scenario, plan);
    // Cells are centred on their figures: the axes reach half a step beyond.
    const double step = std::sqrt(map.contexts[1] / map.contexts[0]);
    data.x.label = QStringLiteral("context, tokens");
    data.x.scale = AxisScale::Logarithmic;
    data.x.low = map.contexts.front() / step;
    data.x.high = map.contexts.back() * step;
    data.x.ticks = powerOfTwoTicks(data.x.low, data.x.high, 2);
    data.x.grid = false;
    data.y.scale = AxisScale::Logarithmic;
    data.y.low = map.sequences.front() / step;
    data.y.high = map.sequences.back() * step;
    data.y.ticks = powerOfTwoTicks(data.y.low, data.y.high, 2);
    data.y.grid = false;
    data.heat = PlotHeat{map.contexts.size(), map.sequences.size(), std::move(map.share)};

    PlotSeries edge;
    edge.role = Role::Limit;
    edge.strong = true;
    for (const CurvePoint& point : map.boundary) {
        if (point.y >= data.y.low && point.y <= data.y.high) {
            edge.points.emplace_back(point.x, point.y);
        }
    }
    data.series.push_back(std::move(edge));
    const auto asked = static_cast<double>(scenario.concurrency);
    const auto context = static_cast<double>(scenario.contextTokens);
    data.point = OperatingPoint{QPointF(context, asked), {}, true};
    nameTheBreach(data);
    const double share
        = plan.budget.usable.count() > 0 ? ratio(plan.paging.liveWithOverhead, plan.budget.usable) : INFINITY;
    data.footnote = std::isfinite(share)
        ? QStringLiteral("%1 sequences of %2 tokens use %3 % of the pool")
              .arg(significant(asked), significant(context), significant(std::round(share * 100)))
        : QStringLiteral("there is no pool");
    data.summary = data.footnote;
    return data;
}

} // namespace kvplan
