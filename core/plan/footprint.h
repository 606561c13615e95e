// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cache/group_bytes.h"
#include "core/model/architecture.h"
#include "core/scenario/scenario.h"
#include "core/units.h"
#include "core/workload/mix.h"

#include <cstdint>
#include <vector>

namespace kvplan {

/// What sequences of one scenario take on its tightest accelerator. Built once, then asked for many contexts.
class Footprint {
public:
    /// The architecture is the one resolveArchitecture gave and outlives the Footprint.
    Footprint(
        const Architecture& architecture, CacheFormats formats, Sharding sharding, std::int64_t stages, Tokens context);

    /// Bytes of a sequence of this many tokens.
    Bytes sequence(Tokens context) const;
    /// The same for a length that need not be whole; equal to sequence() but for the rounding of compressed entries.
    double sequence(double context) const;
    /// The part of a sequence's bytes that the first `prefix` tokens hold and that is still kept at this context.
    Bytes prefix(Tokens prefix, Tokens context) const;

    Bytes state() const { return m_state; } ///< of a sequence, whatever its length
    Bytes growing() const { return m_growing; } ///< of a token while every window grows

private:
    struct Part {
        LayerCost cost;
        std::int64_t layers;
    };
    std::vector<Part> m_parts;
    Sharding m_sharding;
    Bytes m_state;
    Bytes m_growing;
};

CacheFormats formatsOf(const Scenario& scenario);
Sharding shardingOf(const Scenario& scenario);
Tokens blockTokensOf(const Scenario& scenario);

/// The scenario's own footprint, at its context.
Footprint footprintOf(const Scenario& scenario, const Architecture& architecture);

/// Tokens of the shared prefix that sequences of this context really share: whole blocks, and never the last token,
/// which is always computed.
Tokens sharedTokens(const Scenario& scenario, Tokens context);

} // namespace kvplan
