// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cache/format.h"
#include "core/model/config/config_fields.h"
#include "core/model/parameters.h"
#include "core/units.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace kvplan {

/// So many parameters take so many bytes, scales included.
struct StoredGroup {
    std::int64_t parameters = 1;
    std::int64_t bytes = 2;
};

/// How a checkpoint stores its weights.
struct CheckpointFormat {
    std::string plain = "bf16"; ///< format of what is not quantised
    std::string quantised; ///< format of most quantised parts; empty: none are
    std::array<std::optional<StoredGroup>, weightParts> parts; ///< the quantised ones
    std::optional<CacheFormat> cache; ///< only where a key names the cache's own format

    const std::string& name() const { return quantised.empty() ? plain : quantised; }
};

/// Reads torch_dtype and quantization_config. A scheme that is not known counts as 16 bits, with a warning.
CheckpointFormat checkpointFormat(ConfigFields& fields);

/// Bytes of all parts, each in its format.
Bytes checkpointBytes(const CheckpointFormat& format, const ParameterCount& count);

} // namespace kvplan
