// SPDX-License-Identifier: GPL-3.0-or-later
// How TensorRT-LLM turns a pool into blocks, one pool for each window size.
#include "core/engine/engine_rules.h"
#include "core/engine/rank_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

/// All layers of one window size. They share a pool.
struct WindowClass {
    Tokens window; ///< 0: full attention
    CacheGroup group;
    Bytes key;
    Bytes value;
};

std::vector<WindowClass> windowClasses(const std::vector<RankLayers>& layers, const EngineSetup& setup, Tokens block)
{
    std::vector<WindowClass> classes;
    for (const RankLayers& kind : layers) {
        if (kind.kind == LayerKind::Recurrent) {
            continue;
        }
        // A window as long as the longest sequence never slides.
        const Tokens window = kind.window < setup.maxModelLen ? kind.window : Tokens(0);
        auto found = std::ranges::find(classes, window, &WindowClass::window);
        if (found == classes.end()) {
            WindowClass fresh;
            fresh.window = window;
            fresh.group.name = window.count() > 0 ? kind.name : "full";
            fresh.group.blockTokens = block;
            fresh.group.plainBlockTokens = block;
            fresh.group.cap = window;
            fresh.group.steadyCap = window;
            fresh.group.extraBlocks = window.count() > 0 ? 1 : 0;
            found = classes.insert(classes.end(), std::move(fresh));
        }
        found->group.layers += kind.layers;
        found->group.perToken += kind.perToken() * kind.layers;
        found->group.replicatedPerToken += kind.replicated * kind.layers;
    }
    return classes;
}

/// A pool's part of the memory goes by window · bytes a token; full attention counts the longest sequence.
std::int64_t weightOf(const WindowClass& each, Tokens longest)
{
    return checkedMultiply(
        each.group.perToken.count(), each.window.count() > 0 ? each.window.count() : longest.count());
}

/// ⌈memory · share / bytes of a block⌉
Blocks blocksOfShare(std::int64_t memory, double share, Bytes block)
{
    if (share >= 1) {
        return Blocks(ceilDivide(memory, block.count()));
    }
    return Blocks(
        static_cast<std::int64_t>(std::ceil(static_cast<double>(memory) * share / static_cast<double>(block.count()))));
}

/// The estimate made before anything is allocated divides heads · width by the ranks, rounding down.
std::int64_t estimatedBytesPerToken(const Architecture& architecture, const EngineSetup& setup)
{
    Bytes sum;
    for (std::size_t i = 0; i < architecture.groups.size(); ++i) {
        const AttentionGroup& group = architecture.groups[i];
        const std::int64_t layers = setup.layersOfGroup.empty() ? group.layers : setup.layersOfGroup[i];
        std::visit(
            [&](const auto& kind) {
                if constexpr (requires {
                                  kind.kvHeads;
                                  kind.valueDim;
                              }) {
                    const Bytes whole
                        = (rowBytes(setup.formats.key, kind.keyDim) + rowBytes(setup.formats.value, kind.valueDim))
                        * kind.kvHeads;
                    sum += Bytes(whole.count() / setup.sharding.tensor) * layers;
                } else {
                    sum += layerCost(kind, setup.formats, setup.sharding).perToken * layers;
                }
            },
            group.kind);
    }
    return sum.count();
}

} // namespace

Result<EngineAccount> accountTensorRt(
    const Architecture& architecture, const EngineSetup& setup, const EngineVersion& version)
{
    return guarded("TensorRT-LLM's account", [&]() -> Result<EngineAccount> {
        auto layers = rankLayers(architecture, setup);
        if (!layers) {
            return tl::unexpected(layers.error());
        }
        if (holds(*layers, LayerKind::Cross)) {
            return failure(ErrorCode::Unsupported,
                "how TensorRT-LLM divides its pool between an encoder and a decoder is not known here",
                "attention kind cross", "plan it with the simple engine");
        }
        // Old engines were built with blocks of 64.
        const Tokens block = setup.blockTokens.value_or(Tokens(version < EngineVersion{0, 17, 0} ? 64 : 32));
        if (block.count() < 1) {
            return failure(ErrorCode::InvalidValue, fmt::format("a block of {} tokens", block.count()), "block size",
                "give at least 1");
        }
        std::vector<WindowClass> classes = windowClasses(*layers, setup, block);
        EngineAccount account;
        std::int64_t memory = std::max<std::int64_t>(0, setup.pool.count());
        std::int64_t sum = 0;
        Bytes perToken;
        for (const WindowClass& each : classes) {
            sum = checkedAdd(sum, weightOf(each, setup.maxModelLen));
            perToken += each.group.perToken;
        }
        if (setup.tensorRt.maxTokens) {
            memory = std::min(memory, (perToken * setup.tensorRt.maxTokens->count()).count());
        }
        Bytes allocated;
        for (WindowClass& each : classes) {
            const Bytes bytes = each.group.blockBytes();
            const double share = static_cast<double>(weightOf(each, setup.maxModelLen)) / static_cast<double>(sum);
            const Blocks blocks = blocksOfShare(memory, share, bytes);
            const Tokens tokens = block * blocks.count();
            account.reportedTokens = account.pools.empty() ? tokens : std::min(account.reportedTokens, tokens);
            allocated += bytes * blocks.count();
            account.pools.push_back({each.group.name, bytes, blocks, Blocks(0), {std::move(each.group)}});
        }
        for (const RankLayers& kind : *layers) {
            if (kind.kind == LayerKind::Recurrent) {
                CacheGroup group;
                group.name = kind.name;
                group.layers = kind.layers;
                group.fixed = kind.state * kind.layers;
                group.fixedBlocks = 1;
                account.pools.push_back(
                    {"states", group.blockBytes(), Blocks(setup.maxSequences), Blocks(0), {std::move(group)}});
                account.notes.emplace_back("states of recurrent layers lie beside the pool, one for each sequence");
            }
        }
        account.reportedConcurrency = ratio(account.reportedTokens, setup.maxModelLen);
        account.figures = {{"kv_pool_bytes", allocated.count()},
            {"estimated_bytes_per_token", estimatedBytesPerToken(architecture, setup)}};
        if (classes.size() > 1) {
            account.notes.emplace_back("each window's pool gets memory in proportion to window · bytes a token");
        }
        settle(account, setup.maxModelLen, Bytes(0));
        return account;
    });
}

} // namespace kvplan
