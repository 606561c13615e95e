// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.h"

#include "core/cache/group_bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvplan {

namespace {

constexpr std::int64_t defaultLayers = 32;
constexpr std::int64_t defaultQueryHeads = 32;
constexpr std::int64_t defaultKvHeads = 8;
constexpr std::int64_t defaultHeadDim = 128;
constexpr std::int64_t defaultRopeDim = 64;

Architecture uniformDecoder()
{
    Architecture architecture;
    architecture.name = "custom shape";
    architecture.layers = defaultLayers;
    architecture.queryHeads = defaultQueryHeads;
    architecture.groups = {{defaultLayers, FullAttention{defaultKvHeads, defaultHeadDim, defaultHeadDim}}};
    architecture.order.assign(defaultLayers, 0);
    return architecture;
}

/// Applies `change` to every group that caches heads; false when there is none.
template <class Change> bool changeHeads(Architecture& architecture, Change change)
{
    bool changed = false;
    for (AttentionGroup& group : architecture.groups) {
        std::visit(
            [&](auto& kind) {
                if constexpr (requires { kind.kvHeads; }) {
                    change(kind);
                    changed = true;
                }
            },
            group.kind);
    }
    return changed;
}

void countGroups(Architecture& architecture)
{
    for (AttentionGroup& group : architecture.groups) {
        group.layers = 0;
    }
    for (const std::int32_t group : architecture.order) {
        ++architecture.groups[static_cast<std::size_t>(group)].layers;
    }
}

/// The model's pattern repeated, or cut, to `layers` layers; without a known order each group keeps its share.
void setLayers(Architecture& architecture, std::int64_t layers)
{
    const std::int64_t before = std::max<std::int64_t>(1, architecture.layers);
    if (!architecture.order.empty()) {
        const std::vector<std::int32_t> pattern = architecture.order;
        architecture.order.resize(static_cast<std::size_t>(layers));
        for (std::size_t i = 0; i < architecture.order.size(); ++i) {
            architecture.order[i] = pattern[i % pattern.size()];
        }
        countGroups(architecture);
    } else {
        for (AttentionGroup& group : architecture.groups) {
            group.layers = (checkedMultiply(group.layers, layers) + before / 2) / before;
        }
    }
    const auto scaled = [&](std::optional<std::int64_t>& figure) {
        if (figure) {
            figure = static_cast<std::int64_t>(
                static_cast<double>(*figure) * static_cast<double>(layers) / static_cast<double>(before));
        }
    };
    scaled(architecture.parameters);
    scaled(architecture.activeParameters);
    if (architecture.weightsBytes) {
        architecture.weightsBytes
            = Bytes(static_cast<std::int64_t>(static_cast<double>(architecture.weightsBytes->count())
                * static_cast<double>(layers) / static_cast<double>(before)));
    }
    architecture.layers = layers;
}

/// Sliding windows on all layers but every `globalEvery`-th.
void setWindow(Architecture& architecture, std::int64_t window, std::int64_t globalEvery)
{
    FullAttention heads;
    changeHeads(architecture, [&](const auto& kind) { heads = {kind.kvHeads, kind.keyDim, kind.valueDim}; });
    architecture.groups
        = {{0, heads}, {0, SlidingAttention{heads.kvHeads, heads.keyDim, heads.valueDim, Tokens(window)}}};
    architecture.order.resize(static_cast<std::size_t>(architecture.layers));
    for (std::size_t i = 0; i < architecture.order.size(); ++i) {
        const bool full = window == 0 || (globalEvery > 0 && (static_cast<std::int64_t>(i) + 1) % globalEvery == 0);
        architecture.order[i] = full ? 0 : 1;
    }
    countGroups(architecture);
}

void dropEmptyGroups(Architecture& architecture)
{
    std::vector<std::int32_t> place(architecture.groups.size(), 0);
    std::vector<AttentionGroup> kept;
    for (std::size_t i = 0; i < architecture.groups.size(); ++i) {
        place[i] = static_cast<std::int32_t>(kept.size());
        if (architecture.groups[i].layers > 0) {
            kept.push_back(architecture.groups[i]);
        }
    }
    for (std::int32_t& group : architecture.order) {
        group = place[static_cast<std::size_t>(group)];
    }
    architecture.groups = std::move(kept);
}

std::int64_t slidingWindow(const Architecture& architecture)
{
    for (const AttentionGroup& group : architecture.groups) {
        if (const auto* kind = std::get_if<SlidingAttention>(&group.kind)) {
            return kind->window.count();
        }
    }
    return 0;
}

tl::unexpected<Error> noHeads(std::string_view what)
{
    return failure(ErrorCode::Inconsistent, fmt::format("{} is given and this model caches no heads", what), "model",
        "leave it out, or choose a model with grouped-query attention");
}

Result<void> checkHeads(const Architecture& architecture)
{
    for (const AttentionGroup& group : architecture.groups) {
        const std::int64_t heads = std::visit(
            [](const auto& kind) {
                if constexpr (requires { kind.kvHeads; }) {
                    return kind.kvHeads;
                } else {
                    return std::int64_t{0};
                }
            },
            group.kind);
        if (heads > 0 && architecture.queryHeads > 0 && architecture.queryHeads % heads != 0) {
            return failure(ErrorCode::Inconsistent,
                fmt::format("{} KV heads do not divide {} query heads", heads, architecture.queryHeads), "model shape",
                "give query heads that are a multiple of the KV heads");
        }
    }
    return {};
}

} // namespace

std::string_view name(Engine engine)
{
    switch (engine) {
    case Engine::Simple:
        return "simple";
    }
    return "";
}

bool weightsKnown(const Scenario& scenario)
{
    const bool counted = scenario.model && (scenario.model->parameters || scenario.model->weightsBytes);
    return counted || scenario.weightsGib.has_value() || scenario.parametersB.has_value();
}

Result<Architecture> resolveArchitecture(const Scenario& s)
{
    Architecture architecture = s.model ? *s.model : uniformDecoder();
    bool reshaped = !s.model;

    if (s.layers && *s.layers != architecture.layers) {
        setLayers(architecture, *s.layers);
    }
    if (s.queryHeads) {
        architecture.queryHeads = *s.queryHeads;
        reshaped = true;
    }
    if (s.kvHeads) {
        if (!changeHeads(architecture, [&](auto& kind) { kind.kvHeads = *s.kvHeads; })) {
            return noHeads("kv-heads");
        }
        reshaped = true;
    }
    if (s.headDim) {
        const bool changed = changeHeads(architecture, [&](auto& kind) {
            if (kind.valueDim == kind.keyDim) {
                kind.valueDim = *s.headDim;
            }
            kind.keyDim = *s.headDim;
        });
        if (!changed) {
            return noHeads("head-dim");
        }
    }
    if (s.valueHeadDim && !changeHeads(architecture, [&](auto& kind) { kind.valueDim = *s.valueHeadDim; })) {
        return noHeads("v-head-dim");
    }
    if (s.windowTokens || s.globalEvery) {
        bool sliding = false;
        for (AttentionGroup& group : architecture.groups) {
            if (auto* kind = std::get_if<SlidingAttention>(&group.kind)) {
                sliding = true;
                if (s.windowTokens && *s.windowTokens > 0) {
                    kind->window = Tokens(*s.windowTokens);
                }
            }
        }
        const std::int64_t window = s.windowTokens.value_or(sliding ? slidingWindow(architecture) : 0);
        if (!sliding || s.globalEvery || window == 0) {
            if (!changeHeads(architecture, [](const auto&) {})) {
                return noHeads("window");
            }
            if (window == 0 && s.globalEvery.value_or(0) > 0) {
                return failure(ErrorCode::Inconsistent, "global-every is given without a window", "model shape",
                    "give window too, or leave global-every out");
            }
            setWindow(architecture, window, s.globalEvery.value_or(0));
        }
    }
    if (s.mlaRank.value_or(0) > 0) {
        const LatentAttention latent{*s.mlaRank, s.mlaRopeDim.value_or(defaultRopeDim), 0};
        architecture.groups = {{architecture.layers, latent}};
        architecture.order.assign(static_cast<std::size_t>(architecture.layers), 0);
    } else if (s.mlaRopeDim.value_or(0) > 0 && !s.model) {
        return failure(ErrorCode::Inconsistent, "mla-rope-dim is given without mla-rank", "model shape",
            "give the rank of the latent too, or leave the rope width out");
    }
    dropEmptyGroups(architecture);

    if (s.parametersB) {
        architecture.parameters = static_cast<std::int64_t>(*s.parametersB * 1e9);
        architecture.weightsBytes.reset();
    }
    if (s.activeParametersB) {
        architecture.activeParameters = static_cast<std::int64_t>(*s.activeParametersB * 1e9);
    }
    if (reshaped) {
        if (auto heads = checkHeads(architecture); !heads) {
            return tl::unexpected<Error>(heads.error());
        }
    }
    if (auto formats = checkFormats(architecture, {s.keyFormat, s.valueFormat}); !formats) {
        return tl::unexpected<Error>(formats.error());
    }
    return architecture;
}

} // namespace kvplan
