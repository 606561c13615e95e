// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/footprint.h"

#include "core/cache/paging.h"
#include "core/scenario/fields.h"

#include <algorithm>

namespace kvplan {

Footprint::Footprint(
    const Architecture& architecture, CacheFormats formats, Sharding sharding, std::int64_t stages, Tokens context)
    : m_sharding(sharding)
{
    const std::vector<std::int64_t> layers = tightestStage(architecture, formats, sharding, stages, context);
    m_parts.reserve(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
        m_parts.push_back({layerCost(architecture.groups[i].kind, formats, sharding), layers[i]});
    }
    const SequenceCost cost = sequenceCost(architecture, formats, sharding, stages, context);
    m_state = cost.state;
    m_growing = cost.growing;
}

Bytes Footprint::sequence(Tokens context) const
{
    Bytes sum;
    for (const Part& part : m_parts) {
        sum += layerBytes(part.cost, context, m_sharding) * part.layers;
    }
    return sum;
}

double Footprint::sequence(double context) const
{
    double sum = static_cast<double>(m_state.count());
    for (const Part& part : m_parts) {
        const double tokens
            = part.cost.splitsTokens ? context / static_cast<double>(m_sharding.decodeContext) : context;
        const double cap = static_cast<double>(part.cost.cap.count());
        const double kept = cap > 0 ? std::min(tokens, cap) : tokens;
        sum += static_cast<double>(part.layers)
            * (static_cast<double>(part.cost.perToken.count()) * kept
                + static_cast<double>(part.cost.perEntry.count()) * tokens
                    / static_cast<double>(part.cost.compression));
    }
    return sum;
}

Bytes Footprint::prefix(Tokens prefix, Tokens context) const
{
    Bytes sum;
    for (const Part& part : m_parts) {
        Tokens kept = prefix;
        if (part.cost.cap.count() > 0 && part.cost.cap < context) {
            kept = std::max(Tokens(0), prefix - (context - part.cost.cap));
        }
        const std::int64_t ranks = part.cost.splitsTokens ? m_sharding.decodeContext : 1;
        sum += (part.cost.perToken * (kept.count() / ranks)
                   + part.cost.perEntry * (prefix.count() / ranks / part.cost.compression))
            * part.layers;
    }
    return sum;
}

CacheFormats formatsOf(const Scenario& scenario)
{
    return {scenario.keyFormat, scenario.valueFormat};
}

Sharding shardingOf(const Scenario& scenario)
{
    return {scenario.tensorParallel, scenario.decodeContextParallel};
}

Tokens blockTokensOf(const Scenario& scenario)
{
    return Tokens(static_cast<std::int64_t>(*effective(scenario, Field::BlockSize)));
}

Footprint footprintOf(const Scenario& scenario, const Architecture& architecture)
{
    return Footprint(architecture, formatsOf(scenario), shardingOf(scenario), scenario.pipelineParallel,
        Tokens(scenario.contextTokens));
}

Tokens sharedTokens(const Scenario& scenario, Tokens context)
{
    const Tokens prefix = std::min(Tokens(scenario.sharedPrefixTokens), context - Tokens(1));
    return sharableTokens(prefix, blockTokensOf(scenario));
}

} // namespace kvplan
