// SPDX-License-Identifier: GPL-3.0-or-later
// How SGLang turns a pool into slots for tokens, window tokens and states.
#include "core/engine/engine_rules.h"
#include "core/engine/rank_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

/// A token, or a state, through all layers of one kind.
struct Cell {
    std::int64_t layers = 0;
    Bytes key;
    Bytes value;
    Bytes state;
    std::int64_t stateElementsBytes = 0;
    Bytes replicated;
    Tokens window;
    bool latent = false;

    Bytes bytes() const { return key + value + state; }
};

void add(Cell& cell, const RankLayers& kind)
{
    cell.layers += kind.layers;
    cell.key += kind.key * kind.layers;
    cell.value += kind.value * kind.layers;
    cell.state += kind.state * kind.layers;
    cell.replicated += kind.replicated * kind.layers;
    cell.window = std::max(cell.window, kind.window);
    cell.latent = cell.latent || kind.latent;
}

struct Cells {
    Cell full;
    Cell window;
    Cell state;
};

Result<Cells> cellsOf(const std::vector<RankLayers>& layers)
{
    Cells cells;
    for (const RankLayers& kind : layers) {
        switch (kind.kind) {
        case LayerKind::Full:
            add(cells.full, kind);
            break;
        case LayerKind::Sliding:
        case LayerKind::Chunked:
            add(cells.window, kind);
            break;
        case LayerKind::Recurrent:
            add(cells.state, kind);
            break;
        case LayerKind::Cross:
            return failure(ErrorCode::Unsupported, "how SGLang keeps an encoder's keys and values is not known here",
                "attention kind cross", "plan it with the simple engine");
        }
    }
    if (cells.full.layers == 0 && cells.window.layers > 0) {
        cells.full = std::exchange(cells.window, Cell{}); // one kind alone: an ordinary pool
        cells.full.window = Tokens(0);
    }
    return cells;
}

CachePool tokenPool(const char* name, const Cell& cell, Tokens tokens, Tokens page, const EngineSetup& setup)
{
    CacheGroup group;
    group.name = name;
    group.layers = cell.layers;
    group.blockTokens = page;
    group.plainBlockTokens = page;
    group.perToken = cell.bytes();
    group.replicatedPerToken = cell.replicated;
    if (cell.window.count() > 0) {
        group.cap = cell.window + setup.maxBatchedTokens;
        group.steadyCap = cell.window;
    } else {
        group.ranks = setup.sharding.decodeContext;
    }
    return {name, group.blockBytes(), Blocks(tokens.count() / page.count()), Blocks(0), {group}};
}

CachePool statePool(const Cell& cell, std::int64_t slots, bool radixCache)
{
    CacheGroup group;
    group.name = "states";
    group.layers = cell.layers;
    group.fixed = cell.state;
    group.fixedBlocks = radixCache ? 3 : 1; // one runs, two wait in the radix tree
    return {"states", group.blockBytes(), Blocks(slots), Blocks(0), {group}};
}

Tokens wholePages(double tokens, Tokens page)
{
    if (!(tokens < 0x1p62)) {
        throw OverflowError();
    }
    const auto whole = static_cast<std::int64_t>(std::max(0.0, std::floor(tokens)));
    return Tokens(whole / page.count() * page.count());
}

/// The tensors of a pool hold a page more than its tokens: writes of padded batch places go there.
void printTensors(EngineAccount& account, const Cell& cell, Tokens tokens, Tokens page, const std::string& prefix)
{
    const std::int64_t slots = (tokens + page).count();
    if (cell.latent) {
        account.figures.push_back({prefix + "kv_bytes", (cell.bytes() * slots).count()});
    } else {
        account.figures.push_back({prefix + "k_bytes", (cell.key * slots).count()});
        account.figures.push_back({prefix + "v_bytes", (cell.value * slots).count()});
    }
    account.poolWaste.push_back({"dummy page, outside the pool", cell.bytes() * page.count()});
}

} // namespace

Result<EngineAccount> accountSglang(const Architecture& architecture, const EngineSetup& setup, const EngineVersion&)
{
    return guarded("SGLang's account", [&]() -> Result<EngineAccount> {
        if (auto divides = checkHeadsDivide(architecture, setup); !divides) {
            return tl::unexpected(divides.error());
        }
        auto layers = rankLayers(architecture, setup);
        if (!layers) {
            return tl::unexpected(layers.error());
        }
        auto found = cellsOf(*layers);
        if (!found) {
            return tl::unexpected(found.error());
        }
        const Cells& cells = *found;
        const Tokens page = setup.blockTokens.value_or(Tokens(1));
        if (page.count() < 1) {
            return failure(ErrorCode::InvalidValue, fmt::format("a page of {} tokens", page.count()), "block size",
                "give at least 1");
        }
        EngineAccount account;
        auto memory = static_cast<double>(std::max<std::int64_t>(0, setup.pool.count()));
        Tokens full;
        if (cells.state.layers > 0) {
            const double share
                = cells.full.layers > 0 ? memory * setup.sglang.stateRatio / (1 + setup.sglang.stateRatio) : memory;
            const auto each = static_cast<double>(cells.state.state.count());
            const auto slots = static_cast<std::int64_t>(share / each);
            memory -= share;
            account.pools.push_back(statePool(cells.state, slots, setup.sglang.radixCache));
            account.figures.push_back({"state_slots", slots});
            account.poolWaste.push_back({"dummy state, outside the pool", cells.state.state});
        }
        if (cells.full.layers > 0) {
            const double cell = static_cast<double>(cells.full.bytes().count())
                + setup.sglang.windowRatio * static_cast<double>(cells.window.bytes().count());
            full = wholePages(memory / cell, page);
            account.pools.push_back(tokenPool("full tokens", cells.full, full, page, setup));
            printTensors(account, cells.full, full, page, "");
        }
        if (cells.window.layers > 0) {
            // A hair on top: 0.8 · full may fall just short of a whole number it stands for.
            const Tokens window = wholePages(setup.sglang.windowRatio * static_cast<double>(full.count()) + 1e-6, page);
            account.pools.push_back(tokenPool("window tokens", cells.window, window, page, setup));
            account.figures.push_back({"window_tokens", window.count()});
            printTensors(account, cells.window, window, page, "window_");
        }
        if (std::ranges::any_of(architecture.groups, [](const AttentionGroup& group) {
                return std::holds_alternative<SharedCache>(group.kind) && group.layers > 0;
            })) {
            account.notes.emplace_back(
                "SGLang has been seen to keep a cache for layers that share another's: it may hold fewer tokens");
        }
        account.reportedTokens = full;
        account.reportedConcurrency = ratio(full, setup.maxModelLen);
        settle(account, setup.maxModelLen, setup.pool);
        return account;
    });
}

} // namespace kvplan
