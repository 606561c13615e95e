// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/curves.h"

#include "core/plan/pool_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

constexpr std::int64_t shortestContext = 512;
constexpr std::int64_t longestContext = std::int64_t{1} << 20;
constexpr int stepsAnOctave = 4;

std::vector<std::int64_t> contextsOf(const Scenario& scenario)
{
    std::vector<std::int64_t> contexts;
    for (std::int64_t context = shortestContext; context <= longestContext; context *= 2) {
        contexts.push_back(context);
    }
    contexts.push_back(scenario.contextTokens);
    std::ranges::sort(contexts);
    const auto repeated = std::ranges::unique(contexts);
    contexts.erase(repeated.begin(), repeated.end());
    return contexts;
}

Curve curveOf(const Scenario& scenario, const Architecture& architecture, const Plan& plan, std::string label)
{
    const Footprint footprint = footprintOf(scenario, architecture);
    const PoolView pool(scenario, plan);
    Curve curve;
    curve.label = std::move(label);
    for (const std::int64_t context : contextsOf(scenario)) {
        curve.points.push_back({static_cast<double>(context), pool.admitted(footprint, Tokens(context)).real});
    }
    return curve;
}

std::string formatLabel(const Scenario& scenario)
{
    return scenario.keyFormat == scenario.valueFormat
        ? std::string(name(scenario.keyFormat))
        : fmt::format("{}/{}", name(scenario.keyFormat), name(scenario.valueFormat));
}

/// The same model with this many KV heads; empty when it caches none, or as many already.
std::optional<Architecture> withHeads(const Architecture& architecture, std::int64_t heads)
{
    Architecture changed = architecture;
    bool differs = false;
    for (AttentionGroup& group : changed.groups) {
        std::visit(
            [&](auto& kind) {
                if constexpr (requires { kind.kvHeads; }) {
                    differs = differs || kind.kvHeads != heads;
                    kind.kvHeads = heads;
                }
            },
            group.kind);
    }
    return differs ? std::optional<Architecture>(std::move(changed)) : std::nullopt;
}

/// From `first` to `last`, both included, in equal ratios.
std::vector<double> geometric(double first, double last)
{
    std::vector<double> values;
    const auto steps = static_cast<int>(std::lround(std::log2(last / first) * stepsAnOctave));
    for (int step = 0; step <= steps; ++step) {
        values.push_back(first * std::exp2(static_cast<double>(step) / stepsAnOctave));
    }
    return values;
}

} // namespace

std::vector<Curve> concurrencyAgainstContext(const Scenario& scenario, const Plan& plan)
{
    const Architecture& model = plan.architecture;
    const std::string format = formatLabel(scenario);
    std::vector<Curve> curves;
    curves.push_back(curveOf(scenario, model, plan, fmt::format("{} {}", attentionName(model), format)));
    curves.back().chosen = true;
    if (model.queryHeads > 0) {
        if (const auto mha = withHeads(model, model.queryHeads)) {
            curves.push_back(curveOf(scenario, *mha, plan, "MHA " + format));
        }
    }
    if (const auto mqa = withHeads(model, 1)) {
        curves.push_back(curveOf(scenario, *mqa, plan, "MQA " + format));
    }
    if (2 * info(CacheFormat::Fp8).bytesPerElement()
        < info(scenario.keyFormat).bytesPerElement() + info(scenario.valueFormat).bytesPerElement()) {
        Scenario small = scenario;
        small.keyFormat = small.valueFormat = CacheFormat::Fp8;
        curves.push_back(curveOf(small, model, plan, attentionName(model) + " fp8"));
    }
    return curves;
}

FitMap fitMap(const Scenario& scenario, const Plan& plan)
{
    const Footprint footprint = footprintOf(scenario, plan.architecture);
    const PoolView pool(scenario, plan);
    FitMap map;
    map.contexts = geometric(1024, 131072);
    // The map shows the ask and the boundary at its own context, an octave or more away from its edges.
    const double top = std::max({256.0, static_cast<double>(scenario.concurrency), plan.concurrency.worstCase});
    map.sequences = geometric(1, std::exp2(std::ceil(std::log2(std::min(top, 1e6)))));
    if (scenario.contextTokens > 65536) {
        const double last = std::exp2(std::ceil(std::log2(static_cast<double>(scenario.contextTokens))) + 1);
        map.contexts = geometric(last / 1024, last);
    } else if (scenario.contextTokens < 2048) {
        map.contexts = geometric(64, 65536);
    }
    for (const double sequences : map.sequences) {
        for (const double context : map.contexts) {
            map.share.push_back(pool.share(footprint, Tokens(std::llround(context)), sequences));
        }
    }
    for (const double context : map.contexts) {
        map.boundary.push_back({context, pool.admitted(footprint, Tokens(std::llround(context))).real});
    }
    return map;
}

} // namespace kvplan
