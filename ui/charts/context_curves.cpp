// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/curves.h"
#include "core/plan/words.h"
#include "ui/charts/numbers.h"
#include "ui/charts/presenters.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kvplan {

namespace {

struct Look {
    Role role;
    Dash dash;
};
constexpr std::array<Look, 4> looks{{{Role::Cache, Dash::Solid}, {Role::TakenDeep, Dash::DashDotted},
    {Role::Series3, Dash::Dotted}, {Role::Fits, Dash::Dashed}}};

/// The curve's part inside the axes, cut where it leaves them.
std::vector<QPointF> inside(const std::vector<CurvePoint>& points, const PlotAxis& x, const PlotAxis& y)
{
    std::vector<QPointF> kept;
    for (const CurvePoint& point : points) {
        if (point.x >= x.low * 0.999 && point.x <= x.high * 1.001 && point.y > 0) {
            kept.emplace_back(point.x, std::clamp(point.y, y.low, y.high));
        }
    }
    return kept;
}

Look lookOf(const Curve& curve)
{
    if (curve.chosen) {
        return looks[0];
    }
    return curve.label.starts_with("MHA") ? looks[1] : curve.label.starts_with("MQA") ? looks[2] : looks[3];
}

} // namespace

PlotData contextCurves(const Scenario& scenario, const Plan& plan)
{
    PlotData data;
    data.title = QStringLiteral("How many sequences fit at each context?");
    data.subtitle
        = QStringLiteral("full sequences in %1%2 · drag the point")
              .arg(QString::fromStdString(gibText(plan.budget.usable)),
                  plan.accelerators > 1 ? QStringLiteral(" on each of %1").arg(plan.accelerators) : QString());
    if (plan.budget.usable.count() <= 0) {
        data.subtitle = QStringLiteral("none: there is no pool");
    }
    const auto context = static_cast<double>(scenario.contextTokens);
    const auto asked = static_cast<double>(scenario.concurrency);
    const std::vector<Curve> curves = concurrencyAgainstContext(scenario, plan);

    data.x.label = QStringLiteral("context, tokens");
    data.x.scale = AxisScale::Logarithmic;
    data.x.low = std::min(1024.0, std::exp2(std::floor(std::log2(context))));
    data.x.high = std::max(131072.0, std::exp2(std::ceil(std::log2(context))));
    data.x.ticks = powerOfTwoTicks(data.x.low, data.x.high, 1);
    double top = std::max(asked * 2, 8.0);
    for (const Curve& curve : curves) {
        for (const CurvePoint& point : curve.points) {
            if (point.x >= data.x.low) {
                top = std::max(top, point.y);
            }
        }
    }
    data.y.scale = AxisScale::Logarithmic;
    data.y.low = 0.5; // so that the line of one sequence is seen, and where not even one fits
    data.y.high = std::min(1e7, std::exp2(std::ceil(std::log2(top))));
    data.y.ticks = decadeTicks(data.y.low, data.y.high);

    for (const Curve& curve : curves) {
        PlotSeries series;
        series.name = QString::fromStdString(curve.label);
        series.role = lookOf(curve).role;
        series.dash = lookOf(curve).dash;
        series.strong = curve.chosen;
        series.points = inside(curve.points, data.x, data.y);
        data.series.push_back(std::move(series));
    }
    if (const auto ridge = ridgeBatch(scenario); ridge && ridge->sequences < data.y.high) {
        data.lines.push_back({Qt::Horizontal, ridge->sequences, Role::TakenDeep, Dash::Dotted,
            QStringLiteral("ridge batch %1 · %2")
                .arg(significant(std::round(ridge->sequences)), QString::fromStdString(ridge->basis))});
    }
    data.lines.push_back({Qt::Horizontal, 1, Role::Limit, Dash::Dotted, QStringLiteral("one sequence")});
    data.lines.push_back({Qt::Vertical, context, Role::TakenDeep, Dash::Dashed, {}});
    if (!curves.empty() && plan.concurrency.worstCase >= 1) {
        data.texts.push_back({QPointF(context, plan.concurrency.worstCase),
            QStringLiteral("%1 fit").arg(significant(static_cast<double>(plan.concurrency.fullSequences))), Role::Cache,
            Qt::AlignCenter, true, true});
    }
    data.point = OperatingPoint{QPointF(context, asked), QStringLiteral("%1 asked").arg(significant(asked)), true};
    data.footnote = QStringLiteral("above the ridge batch, arithmetic binds a decode step");
    data.summary = QStringLiteral("At %1 tokens %2 full sequences fit and %3 are asked for")
                       .arg(significant(context), significant(static_cast<double>(plan.concurrency.fullSequences)),
                           significant(asked));
    return data;
}

} // namespace kvplan
