// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config/config_fields.h"

#include <cstdint>
#include <vector>

namespace kvplan {

struct HeadShape {
    std::int64_t queryHeads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t keyDim = 0;
    std::int64_t valueDim = 0;
};

/// Heads of full layers and of sliding ones, which some models shape differently.
struct AttentionHeads {
    HeadShape full;
    HeadShape sliding;
    std::vector<std::int64_t> kvHeadsOfLayer; ///< of full layers, where it differs by layer; else empty

    const HeadShape& of(bool isSliding) const { return isSliding ? sliding : full; }
};

/// Reads heads and widths. Without a count of KV heads every query head has its own; without a width it is
/// hidden / heads. Refuses KV heads that do not divide query heads, and a width that cannot be told.
AttentionHeads attentionHeads(ConfigFields& fields);

/// Width of the residual stream.
std::int64_t hiddenSize(ConfigFields& fields);

} // namespace kvplan
