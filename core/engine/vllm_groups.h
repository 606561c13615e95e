// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/cache_pool.h"
#include "core/engine/rank_layers.h"
#include "core/error.h"

#include <string>
#include <vector>

namespace kvplan {

/// vLLM's layout of one rank: every group takes blocks of one size from one pool.
struct VllmLayout {
    std::vector<CacheGroup> groups;
    Bytes blockBytes; ///< of a block through one group: page · layers a group
    Bytes pageBytes; ///< one block of one layer
    Tokens leastBlockTokens; ///< the shortest block of a group, in tokens
    std::int64_t paddingLayers = 0;
    std::vector<std::string> notes;
};

/// Groups layers as vLLM does. Layers of one kind make one group. Mixed: pages are made equal (a shorter page gets a
/// longer block; a state's page is padded to the attention's, whose block is first raised to hold one state), then each
/// kind is cut into groups of the same number of layers, the last one padded. `windowsInFull`: windows count as full
/// attention (before the hybrid allocator). Source: vllm/v1/core/kv_cache_utils.py.
Result<VllmLayout> vllmLayout(std::vector<RankLayers> layers, const EngineSetup& setup, bool windowsInFull);

/// Blocks of 16 tokens; 64 for latent attention, as its kernels want.
Tokens vllmDefaultBlock(const std::vector<RankLayers>& layers);

} // namespace kvplan
