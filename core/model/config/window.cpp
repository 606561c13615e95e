// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/layer_roles.h"

#include <fmt/format.h>

namespace kvplan {

std::int64_t longestSequence(ConfigFields& fields)
{
    return fields.count({"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "max_sequence_length",
                            "n_ctx", "max_seq_length", "model_max_length"},
        1, mostTokens, 0);
}

std::int64_t activeWindow(ConfigFields& fields)
{
    // The classes of Qwen's models switch the window off where the key is absent.
    const bool usedByDefault = !fields.isFamily({"qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "qwen2_vl", "qwen2_5_vl"});
    if (!fields.flag({"use_sliding_window"}).value_or(usedByDefault)) {
        return 0;
    }
    const std::int64_t window
        = fields.count({"sliding_window", "sliding_window_size", "attention_window_size"}, 0, mostTokens, 0);
    const std::int64_t longest = longestSequence(fields);
    if (window > 0 && longest > 0 && window >= longest) {
        fields.warn(fmt::format(
            "sliding_window {} is no shorter than the longest sequence of {}: it never cuts", window, longest));
        return 0;
    }
    return window;
}

} // namespace kvplan
