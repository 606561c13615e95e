// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cache/format.h"
#include "core/model/architecture.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>

namespace kvplan {

/// What one attention group comes to, for reports. Private to core/report.
struct GroupFigures {
    std::optional<std::int64_t> kvHeads;
    std::optional<std::int64_t> keyDim;
    std::optional<std::int64_t> valueDim; ///< 0 for a latent: it is one tensor, not two
    std::optional<std::int64_t> window;
    std::optional<double> bytesPerToken; ///< all layers of the group, windows still growing
    std::optional<Bytes> state; ///< all layers of the group, where that is fixed
};

/// The format the checkpoint names for its cache, else bf16.
CacheFormat defaultFormat(const Architecture& architecture);

/// Throws OverflowError. The group's rows have passed checkFormats.
GroupFigures figuresOf(const AttentionGroup& group, CacheFormat format);

std::optional<Bytes> weightsOfCheckpoint(const Architecture& architecture);

/// architectureJson's object. Throws OverflowError.
nlohmann::ordered_json architectureObject(const Architecture& architecture);

} // namespace kvplan
