// SPDX-License-Identifier: GPL-3.0-or-later
// What llama.cpp allocates: cells for tokens, cells for windows, states for slots.
#include "core/engine/engine_rules.h"
#include "core/engine/rank_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kvplan {

namespace {

/// What changed from a build on. Build numbers are those of the days of the changes.
struct LlamaEra {
    std::int64_t since;
    bool windowsInFull; ///< windowed layers keep every token (until May 2025)
    std::int64_t pad; ///< cells are a multiple of this
    std::int64_t padWithoutFlash;
};

constexpr std::array<LlamaEra, 5> eras{{
    {0, true, 1, 1}, {1600, true, 256, 32}, {5443, false, 256, 32},
    {6869, false, 1, 1}, // late October 2025: no padding
    {6983, false, 256, 256}, // early November 2025: padded again, flash attention or not
}};

const LlamaEra& eraOf(const EngineVersion& version)
{
    const auto after = std::ranges::upper_bound(eras, version.first, {}, &LlamaEra::since);
    return *std::prev(after);
}

Tokens padded(Tokens cells, std::int64_t pad)
{
    return Tokens(pad) * ceilDivide(cells.count(), pad);
}

constexpr std::int64_t floatBytes = 4; // recurrent states are f32 whatever the cache types

/// The buffers of a number of slots.
struct Buffers {
    Tokens cells; ///< of one stream
    std::int64_t streams = 1;
    std::vector<CachePool> pools;
    std::vector<EngineFigure> figures;

    Bytes bytes() const
    {
        Bytes sum;
        for (const CachePool& pool : pools) {
            sum += pool.blockBytes * pool.blocks.count();
        }
        return sum;
    }
};

class Layout {
public:
    Layout(const std::vector<RankLayers>& layers, const EngineSetup& setup, const LlamaEra& era)
        : m_layers(layers)
        , m_setup(setup)
        , m_era(era)
        , m_pad(setup.llamaCpp.flashAttention ? era.pad : era.padWithoutFlash)
    {
    }

    /// What `slots` slots take in a context of `context` tokens, all slots together.
    Buffers buffers(std::int64_t slots, Tokens context) const
    {
        const bool unified = m_setup.llamaCpp.unified;
        Buffers result;
        result.streams = unified ? 1 : slots;
        result.cells = padded(unified ? context : Tokens(context.count() / slots), m_pad);
        addTokens(result, nullptr, result.cells, "full");
        for (const RankLayers& kind : m_layers) {
            if (slides(kind)) {
                const Tokens windows = kind.window * (unified ? slots : 1) + m_setup.llamaCpp.microBatch;
                const Tokens cells
                    = m_setup.llamaCpp.fullWindows ? result.cells : padded(std::min(result.cells, windows), m_pad);
                addTokens(result, &kind, cells, kind.name);
            }
        }
        addStates(result, slots);
        return result;
    }

private:
    bool slides(const RankLayers& kind) const
    {
        return !m_era.windowsInFull && (kind.kind == LayerKind::Sliding || kind.kind == LayerKind::Chunked);
    }

    /// Cells for one window's layers, or for all that keep every token.
    void addTokens(Buffers& buffers, const RankLayers* window, Tokens cells, const std::string& name) const
    {
        CacheGroup group;
        group.name = name;
        Bytes key;
        Bytes value;
        for (const RankLayers& kind : m_layers) {
            if (kind.kind == LayerKind::Recurrent || (window ? &kind != window : slides(kind))) {
                continue;
            }
            group.layers += kind.layers;
            key += kind.key * kind.layers;
            value += kind.value * kind.layers;
        }
        if (group.layers == 0) {
            return;
        }
        group.perToken = key + value;
        const Blocks blocks(checkedMultiply(cells.count(), buffers.streams));
        if (window) {
            group.cap = cells;
            group.steadyCap = std::min(window->window, cells);
        }
        const std::string prefix = window ? "window_" : "";
        buffers.figures.push_back({prefix + "cells", cells.count()});
        buffers.figures.push_back({prefix + "k_bytes", (key * blocks.count()).count()});
        buffers.figures.push_back({prefix + "v_bytes", (value * blocks.count()).count()});
        buffers.pools.push_back({name, group.blockBytes(), blocks, Blocks(0), {std::move(group)}});
    }

    void addStates(Buffers& buffers, std::int64_t slots) const
    {
        const std::int64_t copies = 1 + m_setup.llamaCpp.rollbackStates;
        CacheGroup group;
        group.name = "recurrent";
        Bytes conv;
        Bytes state;
        for (const RankLayers& kind : m_layers) {
            if (kind.kind == LayerKind::Recurrent) {
                group.layers += kind.layers;
                conv += Bytes(floatBytes) * checkedMultiply(kind.convElements, kind.layers);
                state += Bytes(floatBytes) * checkedMultiply(kind.stateElements, kind.layers);
            }
        }
        if (group.layers == 0) {
            return;
        }
        group.fixed = conv + state;
        group.fixedBlocks = copies;
        const Blocks blocks(checkedMultiply(slots, copies));
        buffers.figures.push_back({"r_bytes", (conv * blocks.count()).count()});
        buffers.figures.push_back({"s_bytes", (state * blocks.count()).count()});
        buffers.pools.push_back({"states", group.blockBytes(), blocks, Blocks(0), {std::move(group)}});
    }

    const std::vector<RankLayers>& m_layers;
    const EngineSetup& m_setup;
    const LlamaEra& m_era;
    std::int64_t m_pad;
};

/// The most slots of `length` tokens each whose buffers fit.
std::int64_t mostSlots(const Layout& layout, Tokens length, Bytes memory)
{
    const auto fits = [&](std::int64_t slots) { return layout.buffers(slots, length * slots).bytes() <= memory; };
    std::int64_t fit = 0;
    std::int64_t tooMany = 1;
    while (tooMany < (std::int64_t{1} << 20) && fits(tooMany)) {
        fit = tooMany;
        tooMany *= 2;
    }
    while (tooMany - fit > 1) {
        const std::int64_t middle = fit + (tooMany - fit) / 2;
        (fits(middle) ? fit : tooMany) = middle;
    }
    return fit;
}

Result<std::vector<RankLayers>> layersOf(const Architecture& architecture, EngineSetup setup)
{
    if (setup.sharding.tensor > 1 || setup.sharding.decodeContext > 1) {
        return failure(ErrorCode::Unsupported, "llama.cpp divides whole layers over devices, not heads or tokens",
            "parallelism", "use pipeline parallelism");
    }
    if (!setup.llamaCpp.flashAttention && info(setup.formats.value).groupElements > 1) {
        return failure(ErrorCode::Unsupported, "llama.cpp keeps quantised values only with flash attention",
            "value format", "turn flash attention on, or keep values in fp16");
    }
    setup.speculativeTokens = 0; // draft tokens cost snapshots here, not a longer convolution
    auto layers = rankLayers(architecture, setup);
    if (layers && holds(*layers, LayerKind::Cross)) {
        return failure(ErrorCode::Unsupported, "how llama.cpp keeps an encoder's keys and values is not known here",
            "attention kind cross", "plan it with the simple engine");
    }
    if (layers && !setup.llamaCpp.flashAttention) {
        // Values are stored transposed: every layer's are as wide as the widest.
        const Bytes widest = std::ranges::max(*layers, {}, &RankLayers::value).value;
        for (RankLayers& kind : *layers) {
            kind.value = kind.kind == LayerKind::Recurrent || kind.onlyKeys ? kind.value : widest;
        }
    }
    return layers;
}

} // namespace

Result<EngineAccount> accountLlamaCpp(
    const Architecture& architecture, const EngineSetup& setup, const EngineVersion& version)
{
    return guarded("llama.cpp's account", [&]() -> Result<EngineAccount> {
        const auto layers = layersOf(architecture, setup);
        if (!layers) {
            return tl::unexpected(layers.error());
        }
        const std::int64_t slots = std::max<std::int64_t>(1, setup.maxSequences);
        const Tokens context = setup.llamaCpp.contextTokens.value_or(setup.maxModelLen * slots);
        if (context.count() < slots) {
            return failure(ErrorCode::Inconsistent,
                fmt::format("a context of {} tokens is less than one for each of {} slots", context.count(), slots),
                "context", "lengthen the context or take fewer slots");
        }
        const Layout layout(*layers, setup, eraOf(version));
        Buffers buffers = layout.buffers(slots, context);
        EngineAccount account;
        const Tokens cells = buffers.cells * buffers.streams;
        account.pools = std::move(buffers.pools);
        account.figures = std::move(buffers.figures);
        account.reportedTokens = cells;
        account.reportedConcurrency = ratio(cells, setup.maxModelLen);
        settle(account, setup.maxModelLen, Bytes(0));
        Bytes allocated;
        for (const CachePool& pool : account.pools) {
            allocated += pool.blockBytes * pool.blocks.count();
        }
        account.figures.push_back({"kv_pool_bytes", allocated.count()});
        if (setup.llamaCpp.contextTokens) {
            account.worstCase = account.steadyState
                = allocated <= setup.pool ? std::min(static_cast<double>(slots), account.reportedConcurrency) : 0.0;
        } else {
            account.worstCase = account.steadyState
                = static_cast<double>(mostSlots(layout, setup.maxModelLen, setup.pool));
        }
        return account;
    });
}

} // namespace kvplan
