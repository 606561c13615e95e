// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace kvplan {

namespace {

bool latentAttention(const std::vector<RankLayers>& layers)
{
    return std::ranges::any_of(layers, &RankLayers::latent);
}

std::int64_t largestFullRow(const std::vector<RankLayers>& layers)
{
    std::int64_t row = 0;
    for (const RankLayers& layer : layers) {
        if (layer.kind == LayerKind::Full) {
            row = std::max(row, layer.perToken().count());
        }
    }
    return row;
}

std::int64_t largestState(const std::vector<RankLayers>& layers)
{
    std::int64_t state = 0;
    for (const RankLayers& layer : layers) {
        state = std::max(state, layer.state.count());
    }
    return state;
}

/// B = 16·⌈state / (16 · bytes of a token)⌉ tokens: the least block of attention whose page holds one state.
Tokens blockThatHoldsAState(const std::vector<RankLayers>& layers, Tokens block)
{
    const std::int64_t align = latentAttention(layers) ? 64 : 16;
    const std::int64_t row = largestFullRow(layers);
    const std::int64_t state = largestState(layers);
    return row == 0 ? block : std::max(block, Tokens(align) * ceilDivide(state, checkedMultiply(align, row)));
}

/// How many blocks a sequence takes of a group of this kind.
CacheGroup groupOf(const RankLayers& layers, const EngineSetup& setup, Tokens block)
{
    CacheGroup group;
    group.name = layers.name;
    group.blockTokens = block;
    group.plainBlockTokens = block;
    switch (layers.kind) {
    case LayerKind::Full:
        group.ranks = setup.sharding.decodeContext;
        break;
    case LayerKind::Sliding:
        group.cap = layers.window - Tokens(1) + setup.maxBatchedTokens;
        group.steadyCap = layers.window;
        group.extraBlocks = 1;
        break;
    case LayerKind::Chunked:
        group.cap = layers.window + setup.maxBatchedTokens;
        group.steadyCap = layers.window;
        break;
    case LayerKind::Cross:
        group.steadyCap = layers.window;
        group.fixedBlocks = ceilDivide(layers.window.count(), block.count());
        break;
    case LayerKind::Recurrent:
        break;
    }
    return group;
}

void setStateBlocks(CacheGroup& group, const EngineSetup& setup)
{
    const std::int64_t spare = setup.speculativeTokens;
    switch (setup.vllm.stateCaching) {
    case StateCaching::Newest:
        group.fixedBlocks = 1 + spare;
        break;
    case StateCaching::Aligned:
        group.fixedBlocks = 2 + spare;
        break;
    case StateCaching::Every:
        group.extraBlocks = spare;
        break;
    }
}

/// `layers` real layers of this kind in a group of `slots`, each with a page of `page` bytes.
CacheGroup filled(CacheGroup group, const RankLayers& kind, std::int64_t layers, std::int64_t slots, Bytes page)
{
    group.layers = layers;
    group.paddingLayers = slots - layers;
    group.layerPadding = page * group.paddingLayers;
    const Bytes used
        = kind.state + kind.perToken() * (kind.kind == LayerKind::Recurrent ? 0 : group.blockTokens.count());
    group.pagePadding = (page - used) * layers;
    group.perToken = kind.perToken() * layers;
    group.fixed = kind.state * layers;
    (kind.kind == LayerKind::Recurrent ? group.replicatedFixed : group.replicatedPerToken) = kind.replicated * layers;
    return group;
}

bool sameBlockTable(const RankLayers& a, const RankLayers& b)
{
    return a.kind == b.kind && a.window == b.window;
}

bool oneKind(const std::vector<RankLayers>& layers)
{
    return std::ranges::all_of(layers, [&](const RankLayers& each) { return sameBlockTable(each, layers.front()); });
}

/// Layers with the same block table and the same page are one bucket.
std::vector<RankLayers> merged(const std::vector<RankLayers>& layers)
{
    std::vector<RankLayers> buckets;
    for (const RankLayers& layer : layers) {
        const auto found = std::ranges::find_if(buckets, [&](const RankLayers& bucket) {
            return sameBlockTable(bucket, layer) && bucket.perToken() == layer.perToken()
                && bucket.state == layer.state;
        });
        if (found == buckets.end()) {
            buckets.push_back(layer);
        } else {
            found->layers += layer.layers;
        }
    }
    return buckets;
}

VllmLayout singleGroup(const std::vector<RankLayers>& layers, const EngineSetup& setup, Tokens block)
{
    VllmLayout layout;
    CacheGroup group = groupOf(layers.front(), setup, block);
    if (layers.front().kind == LayerKind::Recurrent) {
        setStateBlocks(group, setup);
    }
    for (const RankLayers& kind : layers) {
        group.layers += kind.layers;
        group.perToken += kind.perToken() * kind.layers;
        group.fixed += kind.state * kind.layers;
        group.replicatedPerToken += kind.replicated * (kind.kind == LayerKind::Recurrent ? 0 : kind.layers);
        layout.pageBytes = std::max(layout.pageBytes, kind.state + kind.perToken() * block.count());
    }
    layout.leastBlockTokens = block;
    layout.blockBytes = group.blockBytes();
    layout.groups.push_back(std::move(group));
    return layout;
}

/// g = the smallest kind's layers, or the largest's when that is less than half as many again.
std::int64_t layersOfEachGroup(const std::vector<RankLayers>& buckets)
{
    const auto [least, most] = std::ranges::minmax(buckets, {}, &RankLayers::layers);
    return 2 * most.layers < 3 * least.layers ? most.layers : least.layers;
}

VllmLayout mixedGroups(const std::vector<RankLayers>& buckets, const EngineSetup& setup, Tokens plainBlock)
{
    const Tokens block = holds(buckets, LayerKind::Recurrent) ? blockThatHoldsAState(buckets, plainBlock) : plainBlock;
    VllmLayout layout;
    Bytes page(largestState(buckets));
    for (const RankLayers& bucket : buckets) {
        page = std::max(page, bucket.perToken() * block.count());
    }
    layout.pageBytes = page;
    const std::int64_t slots = layersOfEachGroup(buckets);
    layout.blockBytes = page * slots;
    for (const RankLayers& bucket : buckets) {
        Tokens longer = block;
        if (bucket.kind != LayerKind::Recurrent) {
            const std::int64_t own = (bucket.perToken() * block.count()).count();
            longer = block * (page.count() / own);
            if (page.count() % own != 0) {
                layout.notes.push_back(
                    fmt::format("pages of {} layers do not divide the largest page and are padded to it", bucket.name));
            }
        }
        CacheGroup group = groupOf(bucket, setup, longer);
        group.plainBlockTokens = plainBlock;
        if (bucket.kind == LayerKind::Recurrent) {
            setStateBlocks(group, setup);
        }
        layout.leastBlockTokens = layout.groups.empty() ? longer : std::min(layout.leastBlockTokens, longer);
        for (std::int64_t left = bucket.layers; left > 0; left -= slots) {
            layout.groups.push_back(filled(group, bucket, std::min(left, slots), slots, page));
            layout.paddingLayers += layout.groups.back().paddingLayers;
        }
    }
    return layout;
}

} // namespace

Tokens vllmDefaultBlock(const std::vector<RankLayers>& layers)
{
    return Tokens(latentAttention(layers) ? 64 : 16);
}

Result<VllmLayout> vllmLayout(std::vector<RankLayers> layers, const EngineSetup& setup, bool windowsInFull)
{
    if (windowsInFull) {
        for (RankLayers& layer : layers) {
            if (layer.kind == LayerKind::Sliding || layer.kind == LayerKind::Chunked) {
                layer.kind = LayerKind::Full;
                layer.window = Tokens(0);
            }
        }
    }
    if (setup.sharding.decodeContext > 1 && (holds(layers, LayerKind::Sliding) || holds(layers, LayerKind::Chunked))) {
        return failure(ErrorCode::Unsupported, "vLLM does not split windowed layers over decode-context ranks",
            "decode-context parallelism", "set it to 1 for this model");
    }
    const Tokens block = setup.blockTokens.value_or(vllmDefaultBlock(layers));
    if (block.count() < 1) {
        return failure(ErrorCode::InvalidValue, fmt::format("a block of {} tokens", block.count()), "block size",
            "give at least 1");
    }
    if (oneKind(layers)) {
        return singleGroup(layers, setup, block);
    }
    return mixedGroups(merged(layers), setup, block);
}

} // namespace kvplan
