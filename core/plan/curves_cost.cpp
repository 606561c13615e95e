// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/curves.h"

#include "core/cache/paging.h"
#include "core/model/weights.h"
#include "core/plan/pool_view.h"
#include "core/queueing/static_batch.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

namespace kvplan {

namespace {

constexpr std::int64_t largestBlock = 256;
constexpr std::int64_t largestBatch = 256;
constexpr std::int64_t tableEntryBytes = 4;

// NVIDIA H100 SXM5 datasheet: dense bf16 and fp8 rates, HBM3 bandwidth.
constexpr double h100Bandwidth = 3.35e12;
constexpr double h100Bf16 = 989e12;
constexpr double h100Fp8 = 1979e12;

} // namespace

std::optional<Ridge> ridgeBatch(const Scenario& scenario)
{
    Ridge ridge;
    const std::string format = text(scenario, Field::WeightFormat);
    Architecture billion;
    billion.parameters = 1'000'000'000;
    const auto bytes = weightBytes(billion, format);
    if (!bytes) {
        return std::nullopt;
    }
    ridge.bytesPerParameter = static_cast<double>(bytes->count()) / 1e9;
    const bool eightBit = format == "fp8";
    if (scenario.accelerator) {
        const Accelerator& card = *scenario.accelerator;
        ridge.bytesPerSecond = card.bandwidthBytesPerSecond;
        ridge.flopsPerSecond = eightBit && card.fp8FlopsPerSecond > 0 ? card.fp8FlopsPerSecond
            : card.bf16FlopsPerSecond > 0                             ? card.bf16FlopsPerSecond
                                                                      : card.fp16FlopsPerSecond;
        ridge.basis = card.name;
    } else {
        ridge.bytesPerSecond = h100Bandwidth;
        ridge.flopsPerSecond = eightBit ? h100Fp8 : h100Bf16;
        ridge.basis = "H100 SXM";
    }
    if (!(ridge.bytesPerSecond > 0) || !(ridge.flopsPerSecond > 0)) {
        return std::nullopt;
    }
    ridge.sequences = ridge.flopsPerSecond * ridge.bytesPerParameter / (2 * ridge.bytesPerSecond);
    return ridge;
}

std::vector<FormatCost> costByFormat(const Scenario& scenario, const Plan& plan)
{
    const Tokens context(scenario.contextTokens);
    const PoolView pool(scenario, plan);
    std::vector<FormatCost> costs;
    Scenario changed = scenario;
    for (const CacheFormatInfo& format : cacheFormats()) {
        const CacheFormats formats{format.format, format.format};
        if (!checkFormats(plan.architecture, formats)) {
            continue;
        }
        changed.keyFormat = changed.valueFormat = format.format;
        const SequenceCost logical = sequenceCost(plan.architecture, formats, {}, 1, context);
        const Footprint footprint = footprintOf(changed, plan.architecture);
        costs.push_back({format.format,
            static_cast<double>((logical.total - logical.state).count()) / static_cast<double>(context.count()),
            pool.admitted(footprint, context).whole,
            scenario.keyFormat == format.format && scenario.valueFormat == format.format});
    }
    return costs;
}

std::vector<BlockSizeCost> costByBlockSize(const Scenario& scenario)
{
    const Tokens context(scenario.contextTokens);
    std::vector<BlockSizeCost> costs;
    for (std::int64_t block = 1; block <= largestBlock; block *= 2) {
        costs.push_back({block, tailTokens(context, Tokens(block)).count(), static_cast<double>(block - 1) / 2,
            block - 1, tableEntryBytes * blocksFor(context, Tokens(block)).count()});
    }
    return costs;
}

std::vector<Curve> staticBatchShare(const Scenario& scenario)
{
    Curve exponential;
    exponential.label = "exponential outputs";
    Curve own;
    for (std::int64_t batch = 1; batch <= largestBatch; batch *= 2) {
        const auto x = static_cast<double>(batch);
        exponential.points.push_back({x, usefulShareExponential(batch)});
        if (scenario.output) {
            own.points.push_back({x, usefulShare(*scenario.output, batch)});
        }
    }
    std::vector<Curve> curves{std::move(exponential)};
    if (scenario.output) {
        own.label = scenario.output->text();
        own.chosen = true;
        curves.push_back(std::move(own));
    }
    return curves;
}

} // namespace kvplan
