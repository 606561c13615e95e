// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cache/group_bytes.h"
#include "core/units.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kvplan {

/// Which states vLLM keeps for a recurrent layer (its mamba cache mode).
enum class StateCaching {
    Newest, ///< one, the running state: prefix caching off
    Aligned, ///< and one at the last block's edge: prefix caching on
    Every, ///< one a block
};

struct VllmOptions {
    StateCaching stateCaching = StateCaching::Newest;
    Bytes swapSpace{std::int64_t{4} << 30}; ///< host memory for V0's CPU blocks
};

struct SglangOptions {
    double windowRatio = 0.8; ///< swa_full_tokens_ratio
    double stateRatio = 0.9; ///< mamba_full_memory_ratio
    bool radixCache = true;
};

struct TensorRtOptions {
    std::optional<Tokens> maxTokens; ///< a cap on the tokens of the pool
};

struct LlamaCppOptions {
    bool unified = true; ///< one cache for all slots
    std::optional<Tokens> contextTokens; ///< n_ctx, all slots together; else the slots' lengths added up
    Tokens microBatch{512}; ///< --ubatch-size
    bool fullWindows = false; ///< --swa-full
    bool flashAttention = true;
    std::int64_t rollbackStates = 0; ///< snapshots of a recurrent state beside the running one
};

/// What one rank is launched with. Bytes are this rank's.
struct EngineSetup {
    Bytes pool; ///< memory for the cache
    CacheFormats formats;
    Sharding sharding;
    std::vector<std::int64_t> layersOfGroup; ///< layers of each group on this rank's stage; empty: all of them
    std::optional<Tokens> blockTokens; ///< else the engine's default
    Tokens maxModelLen;
    Tokens maxBatchedTokens{8192};
    std::int64_t maxSequences = 1024; ///< llama.cpp: slots
    std::int64_t draftLayers = 0; ///< layers of a draft head or MTP block that keep a full cache
    std::int64_t speculativeTokens = 0; ///< draft tokens in flight a sequence
    std::int64_t convolutionTaps = 4; ///< kernel of recurrent layers' convolutions

    VllmOptions vllm;
    SglangOptions sglang;
    TensorRtOptions tensorRt;
    LlamaCppOptions llamaCpp;
};

} // namespace kvplan
