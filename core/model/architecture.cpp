// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architecture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kvplan {

namespace {

constexpr std::array<std::string_view, std::variant_size_v<AttentionKind>> names{
    "full", "sliding", "chunked", "latent", "compressed", "cross", "recurrent", "shared"};

/// The first group for which `figure` gives a positive number.
template <class Figure> std::int64_t firstPositive(const Architecture& architecture, Figure figure)
{
    for (const AttentionGroup& group : architecture.groups) {
        const std::int64_t value = std::visit(figure, group.kind);
        if (value > 0) {
            return value;
        }
    }
    return 0;
}

template <class Kind> const Kind* firstOf(const Architecture& architecture)
{
    for (const AttentionGroup& group : architecture.groups) {
        if (const auto* kind = std::get_if<Kind>(&group.kind)) {
            return kind;
        }
    }
    return nullptr;
}

std::string headsName(std::int64_t queryHeads, std::int64_t heads)
{
    if (heads == queryHeads) {
        return "MHA";
    }
    if (heads == 1) {
        return "MQA";
    }
    return queryHeads > 0 && queryHeads % heads == 0 ? fmt::format("GQA {}:1", queryHeads / heads) : "GQA";
}

} // namespace

std::string_view kindName(const AttentionKind& kind)
{
    return names[kind.index()];
}

std::int64_t kvHeads(const Architecture& architecture)
{
    return firstPositive(architecture, [](const auto& kind) -> std::int64_t {
        if constexpr (requires { kind.kvHeads; }) {
            return kind.kvHeads;
        } else if constexpr (
            requires { kind.rank; } || requires { kind.entryDim; }) {
            return 1;
        } else {
            return 0;
        }
    });
}

std::int64_t keyDim(const Architecture& architecture)
{
    return firstPositive(architecture, [](const auto& kind) -> std::int64_t {
        if constexpr (requires { kind.keyDim; }) {
            return kind.keyDim;
        } else if constexpr (requires { kind.rank; }) {
            return kind.rank + kind.ropeDim;
        } else if constexpr (requires { kind.entryDim; }) {
            return kind.entryDim;
        } else {
            return 0;
        }
    });
}

std::int64_t valueDim(const Architecture& architecture)
{
    return firstPositive(architecture, [](const auto& kind) -> std::int64_t {
        if constexpr (requires { kind.valueDim; }) {
            return kind.valueDim;
        } else if constexpr (requires { kind.rank; }) {
            return kind.rank;
        } else if constexpr (requires { kind.entryDim; }) {
            return kind.entryDim;
        } else {
            return 0;
        }
    });
}

std::string attentionName(const Architecture& architecture)
{
    std::string base;
    if (firstOf<CompressedAttention>(architecture) != nullptr) {
        base = "compressed latent";
    } else if (const auto* latent = firstOf<LatentAttention>(architecture)) {
        base = latent->indexerDim > 0 ? "MLA + indexer" : "MLA";
    } else if (kvHeads(architecture) > 0) {
        base = headsName(architecture.queryHeads, kvHeads(architecture));
    }
    if (const auto* sliding = firstOf<SlidingAttention>(architecture)) {
        base += fmt::format(" + sliding {}", sliding->window.count());
    }
    if (const auto* chunked = firstOf<ChunkedAttention>(architecture)) {
        base += fmt::format(" + chunked {}", chunked->chunk.count());
    }
    if (firstOf<RecurrentState>(architecture) != nullptr) {
        base = base.empty() ? "recurrent" : base + " hybrid";
    }
    return base.empty() ? "no cache" : base;
}

} // namespace kvplan
