// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/curves.h"
#include "ui/charts/numbers.h"
#include "ui/charts/presenters.h"

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

constexpr double rowHalf = 0.34;
constexpr double nothing = 0.5; ///< where 0 tokens stand on a logarithmic axis

double orNothing(double tokens)
{
    return std::max(tokens, nothing);
}
constexpr qsizetype longestName = 14; ///< letters of joined format names

} // namespace

PlotData formatBars(const Scenario& scenario, const Plan& plan)
{
    PlotData data;
    data.title = QStringLiteral("What does a token cost in each format?");
    data.subtitle = QStringLiteral("KiB a token over all layers, and full sequences");
    std::vector<FormatCost> costs = costByFormat(scenario, plan);
    // Formats of the same cost tell the same; the one in use, or else the first, stands for them.
    std::ranges::stable_sort(costs, [](const FormatCost& a, const FormatCost& b) {
        return a.bytesPerToken != b.bytesPerToken ? a.bytesPerToken > b.bytesPerToken : a.chosen > b.chosen;
    });
    std::vector<FormatCost> shown;
    std::vector<QString> names;
    for (const FormatCost& cost : costs) {
        const QString label
            = QString::fromUtf8(name(cost.format).data(), static_cast<qsizetype>(name(cost.format).size()));
        if (!shown.empty() && shown.back().bytesPerToken == cost.bytesPerToken) {
            if (names.back().size() + label.size() < longestName) {
                names.back() += QStringLiteral(", ") + label;
            }
            continue;
        }
        shown.push_back(cost);
        names.push_back(label);
    }
    const auto rows = static_cast<double>(shown.size());
    const double most = shown.empty() ? 1 : shown.front().bytesPerToken / 1024;
    data.x.low = 0;
    data.x.high = most * 1.5; // room for the words behind the longest bar
    data.x.grid = false;
    data.y.low = -0.6;
    data.y.high = std::max(0.5, rows - 0.4);
    data.y.grid = false;
    data.y.categories = true;
    data.barsGrow = BarsGrow::Right;
    data.footnote = QStringLiteral("formats of the same size share a bar");
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const double row = rows - 1 - static_cast<double>(i);
        PlotBar bar;
        bar.right = shown[i].bytesPerToken / 1024;
        bar.bottom = row - rowHalf;
        bar.top = row + rowHalf;
        bar.role = shown[i].chosen ? Role::Cache : Role::Taken;
        bar.label = QStringLiteral("%1 → %2").arg(
            significant(bar.right), significant(static_cast<double>(shown[i].fullSequences)));
        bar.place = PlotBar::LabelPlace::Right;
        bar.strong = shown[i].chosen;
        data.bars.push_back(bar);
        data.y.ticks.push_back({row, names[i]});
    }
    data.summary = QStringLiteral("%1 bytes a token now").arg(significant(plan.kv.bytesPerToken));
    return data;
}

PlotData blockWaste(const Scenario& scenario, const Plan& plan)
{
    PlotData data;
    data.title = QStringLiteral("What does a larger block waste?");
    data.subtitle = QStringLiteral("tokens at the end of a sequence's last block");
    const std::vector<BlockSizeCost> costs = costByBlockSize(scenario);
    data.x.label = QStringLiteral("block, tokens");
    data.x.scale = AxisScale::Logarithmic;
    data.x.low = 1;
    data.x.high = static_cast<double>(costs.back().blockTokens);
    data.x.ticks = powerOfTwoTicks(data.x.low, data.x.high, 1);
    data.y.scale = AxisScale::Logarithmic;
    data.y.low = 0.7 * nothing;
    data.y.high = std::exp2(std::ceil(std::log2(static_cast<double>(costs.back().boundTokens) + 1)));
    data.y.ticks = powerOfTwoTicks(1, data.y.high, 2);
    data.y.ticks.insert(data.y.ticks.begin(), Tick{nothing, QStringLiteral("0")});

    PlotSeries bound{QStringLiteral("bound k − 1"), Role::Limit, Dash::Dashed, false, false, {}};
    PlotSeries mean{QStringLiteral("mean (k − 1)/2"), Role::Fits, Dash::DashDotted, false, false, {}};
    PlotSeries tail{QStringLiteral("%1 tokens").arg(significant(static_cast<double>(scenario.contextTokens))),
        Role::Cache, Dash::Solid, true, true, {}};
    for (const BlockSizeCost& cost : costs) {
        const auto block = static_cast<double>(cost.blockTokens);
        bound.points.emplace_back(block, orNothing(static_cast<double>(cost.boundTokens)));
        mean.points.emplace_back(block, orNothing(cost.meanTailTokens));
        tail.points.emplace_back(block, orNothing(static_cast<double>(cost.tailTokens)));
    }
    data.series = {tail, bound, mean};
    const auto block = static_cast<double>(plan.paging.blockTokens.count());
    if (block <= data.x.high) {
        data.point = OperatingPoint{
            QPointF(block, orNothing(static_cast<double>(plan.paging.tailTokensPerSequence.count()))), {}, false};
        data.lines.push_back({Qt::Vertical, block, Role::TakenDeep, Dash::Dashed, {}});
    }
    data.footnote = QStringLiteral("%1 tokens in blocks of %2: %3 blocks, %4 unused · table %5 B")
                        .arg(significant(static_cast<double>(scenario.contextTokens)), significant(block),
                            significant(static_cast<double>(plan.paging.blocksPerSequence.count())),
                            significant(static_cast<double>(plan.paging.tailTokensPerSequence.count())),
                            significant(static_cast<double>(4 * plan.paging.blocksPerSequence.count())));
    data.summary = data.footnote;
    return data;
}

PlotData batchingShare(const Scenario& scenario, const Plan& plan)
{
    PlotData data;
    data.title = QStringLiteral("What does a static batch waste?");
    data.subtitle = QStringLiteral("share of slots at work while it waits for its longest");
    data.x.label = QStringLiteral("batch, sequences");
    data.x.scale = AxisScale::Logarithmic;
    data.x.low = 1;
    data.x.high = 256;
    data.x.ticks = powerOfTwoTicks(1, 256);
    data.y.high = 1.08;
    data.y.ticks = {{0, QStringLiteral("0")}, {0.25, QStringLiteral("0.25")}, {0.5, QStringLiteral("0.5")},
        {0.75, QStringLiteral("0.75")}, {1, QStringLiteral("1")}};
    PlotSeries continuous{QStringLiteral("continuous"), Role::Fits, Dash::Dashed, false, false, {{1, 1}, {256, 1}}};
    data.series.push_back(continuous);
    for (const Curve& curve : staticBatchShare(scenario)) {
        PlotSeries series;
        series.name = curve.chosen ? QStringLiteral("this mix") : QStringLiteral("1/H_B");
        series.role = curve.chosen ? Role::Series3 : Role::Cache;
        series.dash = curve.chosen ? Dash::DashDotted : Dash::Solid;
        series.strong = !curve.chosen;
        for (const CurvePoint& point : curve.points) {
            series.points.emplace_back(point.x, point.y);
            const bool named = !curve.chosen && (point.x == 8 || point.x == 32 || point.x == 128);
            if (named) {
                data.texts.push_back({QPointF(point.x, point.y), QString::number(point.y, 'f', 3), Role::Cache,
                    Qt::AlignCenter, true, true});
            }
        }
        data.series.push_back(std::move(series));
    }
    data.footnote = QStringLiteral("1/H_B: outputs exponentially distributed, whatever their mean");
    data.summary = QStringLiteral("A static batch of 8 does 0.368 useful work, of 32 0.246, of 128 0.184");
    static_cast<void>(plan);
    return data;
}

} // namespace kvplan
