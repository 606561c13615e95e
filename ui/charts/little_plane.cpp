// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/queueing/little.h"
#include "ui/charts/numbers.h"
#include "ui/charts/presenters.h"

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

constexpr int curveSteps = 48;
constexpr double octaves = 3; ///< shown on either side of the point

/// W = B / λ over the axes, in equal ratios of λ.
std::vector<QPointF> hyperbola(double inSystem, const PlotAxis& x, const PlotAxis& y)
{
    std::vector<QPointF> points;
    for (int step = 0; step <= curveSteps; ++step) {
        const double rate = x.low * std::pow(x.high / x.low, static_cast<double>(step) / curveSteps);
        const auto little = littlesLaw(inSystem, rate, std::nullopt);
        if (little && little->timeSeconds >= y.low && little->timeSeconds <= y.high) {
            points.emplace_back(rate, little->timeSeconds);
        }
    }
    return points;
}

} // namespace

PlotData littlePlane(const Scenario& scenario, const Plan& plan, double timeInSystemSeconds)
{
    PlotData data;
    data.title = QStringLiteral("Which load keeps them this busy?");
    const auto asked = static_cast<double>(scenario.concurrency);
    const auto little = littlesLaw(asked, std::nullopt, timeInSystemSeconds);
    if (!little) {
        data.message = QString::fromStdString(little.error().sentence());
        return data;
    }
    data.subtitle = QStringLiteral("%1 in system = %2 a second × %3 s · drag the point")
                        .arg(significant(asked), significant(little->ratePerSecond), significant(little->timeSeconds));
    const double spread = std::exp2(octaves);
    data.x.label = QStringLiteral("arrivals λ, a second");
    data.x.scale = AxisScale::Logarithmic;
    data.x.low = std::exp2(std::round(std::log2(little->ratePerSecond / spread)));
    data.x.high = data.x.low * spread * spread;
    data.x.ticks = powerOfTwoTicks(data.x.low, data.x.high);
    data.y.label = QStringLiteral("time W, s");
    data.y.scale = AxisScale::Logarithmic;
    data.y.low = std::exp2(std::round(std::log2(little->timeSeconds / spread)));
    data.y.high = data.y.low * spread * spread;
    data.y.ticks = powerOfTwoTicks(data.y.low, data.y.high);

    PlotSeries own{QStringLiteral("B = %1").arg(significant(asked)), Role::Cache, Dash::Solid, true, false,
        hyperbola(asked, data.x, data.y)};
    data.series.push_back(std::move(own));
    const auto most = static_cast<double>(std::min(plan.concurrency.fullSequences, plan.maxSequences));
    if (most > 0 && most != asked) {
        PlotSeries limit{QStringLiteral("B max %1").arg(significant(most)), Role::Limit, Dash::Dashed, false, false,
            hyperbola(most, data.x, data.y)};
        data.series.push_back(std::move(limit));
    }
    data.point = OperatingPoint{QPointF(little->ratePerSecond, little->timeSeconds),
        QStringLiteral("%1/s × %2 s").arg(significant(little->ratePerSecond), significant(little->timeSeconds)), true};
    data.footnote = most > 0 ? QStringLiteral("at W = %1 s the pool carries %2 arrivals a second")
                                   .arg(significant(timeInSystemSeconds), significant(most / timeInSystemSeconds))
                             : QStringLiteral("nothing fits, so no load is carried");
    data.summary = data.subtitle;
    return data;
}

} // namespace kvplan
