// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cache/format.h"
#include "core/error.h"
#include "core/model/architecture.h"
#include "core/units.h"

namespace kvplan {

/// Formats of cached keys and values.
struct CacheFormats {
    CacheFormat key = CacheFormat::Bf16;
    CacheFormat value = CacheFormat::Bf16;
};

/// How the cache of one layer is spread over the ranks of one replica's stage.
struct Sharding {
    std::int64_t tensor = 1; ///< heads per rank are max(1, ⌈heads / tensor⌉); a latent stays whole
    std::int64_t decodeContext = 1; ///< tokens per rank are ⌈tokens / decodeContext⌉ for full and latent layers
};

/// What one layer keeps: each part linear in a token count. All bytes are one rank's.
struct LayerCost {
    Bytes perToken; ///< a token while the layer still grows
    Bytes fixed; ///< whatever the length: recurrent state, cross attention
    Tokens cap; ///< tokens kept at most; 0: no cap
    std::int64_t compression = 1; ///< tokens that share one stored entry
    Bytes perEntry; ///< an entry of `compression` tokens, beside perToken
    bool splitsTokens = false; ///< decode-context parallelism divides its tokens
};

/// Cost of one layer of this kind on one rank. Rows have passed checkFormats. An indexer key of n elements costs
/// n + 4⌈n/128⌉ bytes (fp8 with a 4-byte scale per 128). Source: accounting rules of vLLM, SGLang and TensorRT-LLM for
/// full, sliding and latent layers; DeepSeek-V3.2 and V4 for indexers and compressed entries.
LayerCost layerCost(const AttentionKind& kind, CacheFormats formats, Sharding sharding);

/// Bytes one rank's layer keeps for a sequence of `context` tokens.
Bytes layerBytes(const LayerCost& cost, Tokens context, Sharding sharding);

/// Refuses a format that cannot hold this architecture's rows, naming format and width.
Result<void> checkFormats(const Architecture& architecture, CacheFormats formats);

/// One sequence on one accelerator, or on the whole model (sharding {1, 1} and stages 1).
struct SequenceCost {
    Bytes total; ///< at the context
    Bytes state; ///< of it, fixed
    Bytes growing; ///< a token while every window grows
    Bytes marginal; ///< one more token at an unbounded context
};

/// Sums layers over the tightest of `stages` pipeline stages: each holds contiguous layers, the first ones one more
/// where they do not divide. Without a known order every group is spread evenly, rounding up.
SequenceCost sequenceCost(
    const Architecture& architecture, CacheFormats formats, Sharding sharding, std::int64_t stages, Tokens context);

/// How many layers of each group the tightest stage holds, in the order of architecture.groups.
std::vector<std::int64_t> tightestStage(
    const Architecture& architecture, CacheFormats formats, Sharding sharding, std::int64_t stages, Tokens context);

/// Bytes a sequence of `context` tokens takes on the stage given by `layersOfGroup`. With windows it is concave and
/// piecewise linear in the context.
Bytes stageBytes(const Architecture& architecture, const std::vector<std::int64_t>& layersOfGroup, CacheFormats formats,
    Sharding sharding, Tokens context);

} // namespace kvplan
