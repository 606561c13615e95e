// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config/config_fields.h"

#include <cstdint>
#include <vector>

namespace kvplan {

/// What a decoder layer does, as far as the cache is concerned.
enum class LayerRole {
    Full,
    Sliding,
    Chunked,
    Compressed, ///< DeepSeek-V4
    Recurrent,
    FullAndRecurrent, ///< both side by side
    Cross,
    None, ///< a feed-forward layer, or attention left out
};

/// The role of each layer in order, from whichever key says it: a list of words, a pattern string, a period with an
/// offset, lists of layer numbers. Empty with the failure remembered in `fields` where the file contradicts itself,
/// names a kind that is not known, or has recurrent layers that no key places.
std::vector<LayerRole> layerRoles(ConfigFields& fields);

/// Tokens of the sliding window; 0 where there is none, where another key switches it off, and where it is no shorter
/// than the model's own maximum (then with a warning).
std::int64_t activeWindow(ConfigFields& fields);

/// Tokens in the longest sequence the file allows; 0 where it does not say.
std::int64_t longestSequence(ConfigFields& fields);

} // namespace kvplan
