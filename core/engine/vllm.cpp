// SPDX-License-Identifier: GPL-3.0-or-later
// How vLLM turns a pool into blocks and prints it, release by release.
#include "core/engine/engine_rules.h"
#include "core/engine/rank_layers.h"
#include "core/engine/vllm_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kvplan {

namespace {

/// What changed from a release on.
struct VllmEra {
    EngineVersion since;
    bool windowsInFull; ///< no hybrid allocator: windowed layers keep every token
    bool states; ///< recurrent states come from the same pool
    bool nullBlock; ///< block 0 is never handed out
    bool wholeBlocks; ///< concurrency counts a sequence's blocks, not its tokens
    bool tokensFromConcurrency; ///< "GPU KV cache size" is concurrency · max_model_len, not blocks · block
    bool swapBlocks; ///< prints CPU blocks
};

// The hybrid allocator's and the tokens line's releases are read off the versions of logs, to about one release.
constexpr std::array<VllmEra, 5> eras{{
    {{0, 0, 0}, true, false, false, false, false, true},
    {{0, 8, 0}, true, false, true, false, false, false},
    {{0, 9, 2}, false, true, true, false, false, false},
    {{0, 10, 0}, false, true, true, true, false, false},
    {{0, 20, 1}, false, true, true, true, true, false},
}};

const VllmEra& eraOf(const EngineVersion& version)
{
    const VllmEra* era = eras.data();
    for (const VllmEra& each : eras) {
        if (each.since <= version) {
            era = &each;
        }
    }
    return *era;
}

/// tokens = int(concurrency · len), in floating point as the engine computes it.
Tokens tokensOfConcurrency(double concurrency, Tokens length)
{
    const double tokens = concurrency * static_cast<double>(length.count());
    if (!(tokens < 0x1p62)) {
        throw OverflowError();
    }
    return Tokens(static_cast<std::int64_t>(tokens));
}

void report(EngineAccount& account, const VllmEra& era, const VllmLayout& layout, const EngineSetup& setup)
{
    const CachePool& pool = account.pools.front();
    const Tokens length = setup.maxModelLen;
    const Blocks each = pool.perSequence(length);
    const auto groups = static_cast<std::int64_t>(pool.groups.size());
    const Tokens blockTokens = layout.leastBlockTokens * setup.sharding.decodeContext;
    const Tokens plain = blockTokens * (pool.blocks.count() / groups);
    account.reportedConcurrency = era.wholeBlocks || groups > 1 ? ratio(pool.blocks, each) : ratio(plain, length);
    account.reportedTokens
        = era.tokensFromConcurrency ? tokensOfConcurrency(account.reportedConcurrency, length) : plain;
    const auto attention = std::ranges::find(layout.groups, Bytes(0), &CacheGroup::fixed);
    account.figures = {{"pool_blocks", pool.blocks.count()}, {"block_bytes", pool.blockBytes.count()},
        {"page_bytes", layout.pageBytes.count()}, {"groups", groups}, {"padding_layers", layout.paddingLayers}};
    if (attention != layout.groups.end()) {
        account.figures.push_back({"block_tokens", attention->blockTokens.count()});
    }
    if (era.swapBlocks) {
        account.figures.push_back({"cpu_blocks", setup.vllm.swapSpace.count() / pool.blockBytes.count()});
    }
}

} // namespace

Result<EngineAccount> accountVllm(
    const Architecture& architecture, const EngineSetup& setup, const EngineVersion& version)
{
    return guarded("vLLM's account", [&]() -> Result<EngineAccount> {
        const VllmEra& era = eraOf(version);
        if (auto divides = checkHeadsDivide(architecture, setup); !divides) {
            return tl::unexpected(divides.error());
        }
        auto layers = rankLayers(architecture, setup);
        if (!layers) {
            return tl::unexpected(layers.error());
        }
        if (holds(*layers, LayerKind::Recurrent) && !era.states) {
            return failure(ErrorCode::Unsupported,
                fmt::format("vLLM {} keeps recurrent states outside its pool, by rules not known here", text(version)),
                "engine version", "choose 0.10 or newer");
        }
        auto layout = vllmLayout(std::move(*layers), setup, era.windowsInFull);
        if (!layout) {
            return tl::unexpected(layout.error());
        }
        EngineAccount account;
        const std::int64_t pool = std::max<std::int64_t>(0, setup.pool.count());
        account.pools.push_back({"blocks", layout->blockBytes, Blocks(pool / layout->blockBytes.count()),
            Blocks(era.nullBlock ? 1 : 0), layout->groups});
        report(account, era, *layout, setup);
        account.notes = layout->notes;
        settle(account, setup.maxModelLen, setup.pool);
        return account;
    });
}

} // namespace kvplan
