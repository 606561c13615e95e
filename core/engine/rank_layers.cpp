// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/rank_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kvplan {

namespace {

template <class... Visitors> struct Overloaded : Visitors... {
    using Visitors::operator()...;
};
template <class... Visitors> Overloaded(Visitors...) -> Overloaded<Visitors...>;

/// What is physical beyond a fair share of the logical bytes.
Bytes beyondShare(Bytes physical, Bytes logical, std::int64_t ranks)
{
    return physical - std::min(physical, Bytes(ceilDivide(logical.count(), ranks)));
}

template <class Heads>
RankLayers headLayers(LayerKind kind, std::string name, const Heads& heads, const EngineSetup& setup)
{
    const std::int64_t onRank = std::max<std::int64_t>(1, ceilDivide(heads.kvHeads, setup.sharding.tensor));
    RankLayers layers;
    layers.kind = kind;
    layers.name = std::move(name);
    const Bytes keyRow = rowBytes(setup.formats.key, heads.keyDim);
    const Bytes valueRow = rowBytes(setup.formats.value, heads.valueDim);
    layers.key = keyRow * onRank;
    layers.value = valueRow * onRank;
    layers.replicated = beyondShare(layers.perToken(), (keyRow + valueRow) * heads.kvHeads, setup.sharding.tensor);
    return layers;
}

Bytes indexerBytes(const FullAttention& full, const EngineSetup& setup)
{
    FullAttention plain = full;
    plain.indexerDim = 0;
    return layerCost(full, setup.formats, setup.sharding).perToken
        - layerCost(plain, setup.formats, setup.sharding).perToken;
}

RankLayers latentLayers(const LatentAttention& latent, const EngineSetup& setup)
{
    RankLayers layers;
    layers.name = "latent";
    layers.latent = true;
    layers.onlyKeys = true;
    layers.key = layerCost(latent, setup.formats, setup.sharding).perToken;
    layers.replicated = beyondShare(layers.key, layers.key, setup.sharding.tensor);
    return layers;
}

RankLayers recurrentLayers(const RecurrentState& recurrent, const EngineSetup& setup)
{
    RankLayers layers;
    layers.kind = LayerKind::Recurrent;
    layers.name = "recurrent";
    const std::int64_t taps = std::max<std::int64_t>(1, setup.convolutionTaps - 1);
    const std::int64_t conv = recurrent.convElements / taps * (taps + setup.speculativeTokens);
    layers.stateElements = ceilDivide(recurrent.stateElements, setup.sharding.tensor);
    layers.convElements = ceilDivide(conv, setup.sharding.tensor);
    layers.state = Bytes(recurrent.stateElementBytes) * layers.stateElements
        + Bytes(recurrent.convElementBytes) * layers.convElements;
    return layers;
}

Result<RankLayers> lower(const AttentionKind& kind, const EngineSetup& setup)
{
    using Answer = Result<RankLayers>;
    return std::visit(Overloaded{
                          [&](const FullAttention& k) -> Answer {
                              RankLayers layers = headLayers(LayerKind::Full, "full", k, setup);
                              layers.key += indexerBytes(k, setup);
                              return layers;
                          },
                          [&](const SlidingAttention& k) -> Answer {
                              RankLayers layers = headLayers(
                                  LayerKind::Sliding, fmt::format("sliding {}", k.window.count()), k, setup);
                              layers.window = k.window;
                              return layers;
                          },
                          [&](const ChunkedAttention& k) -> Answer {
                              RankLayers layers = headLayers(
                                  LayerKind::Chunked, fmt::format("chunked {}", k.chunk.count()), k, setup);
                              layers.window = k.chunk;
                              return layers;
                          },
                          [&](const LatentAttention& k) -> Answer { return latentLayers(k, setup); },
                          [&](const CompressedAttention&) -> Answer {
                              return failure(ErrorCode::Unsupported,
                                  "how engines page the compressed entries of this model is not settled by any log",
                                  "attention kind compressed", "plan it with the simple engine");
                          },
                          [&](const CrossAttention& k) -> Answer {
                              RankLayers layers = headLayers(LayerKind::Cross, "cross", k, setup);
                              layers.window = k.encoderTokens;
                              return layers;
                          },
                          [&](const RecurrentState& k) -> Answer { return recurrentLayers(k, setup); },
                          [](const SharedCache&) -> Answer { return RankLayers{}; },
                      },
        kind);
}

std::int64_t kvHeadsOf(const AttentionKind& kind)
{
    return std::visit(
        [](const auto& k) -> std::int64_t {
            if constexpr (requires { k.kvHeads; }) {
                return k.kvHeads;
            } else {
                return 0;
            }
        },
        kind);
}

} // namespace

Result<std::vector<RankLayers>> rankLayers(const Architecture& architecture, const EngineSetup& setup)
{
    if (auto fits = checkFormats(architecture, setup.formats); !fits) {
        return tl::unexpected(fits.error());
    }
    if (!setup.layersOfGroup.empty() && setup.layersOfGroup.size() != architecture.groups.size()) {
        return failure(ErrorCode::Inconsistent,
            fmt::format("the stage counts layers of {} groups and the model has {}", setup.layersOfGroup.size(),
                architecture.groups.size()),
            "layers of the stage", "give one count for each group");
    }
    std::vector<RankLayers> result;
    std::int64_t draft = setup.draftLayers;
    for (std::size_t i = 0; i < architecture.groups.size(); ++i) {
        const AttentionGroup& group = architecture.groups[i];
        auto layers = lower(group.kind, setup);
        if (!layers) {
            return tl::unexpected(layers.error());
        }
        layers->layers = setup.layersOfGroup.empty() ? group.layers : setup.layersOfGroup[i];
        if (layers->kind == LayerKind::Full && layers->perToken().count() > 0) {
            layers->layers += std::exchange(draft, 0);
        }
        if (layers->layers > 0 && !std::holds_alternative<SharedCache>(group.kind)) {
            result.push_back(std::move(*layers));
        }
    }
    if (result.empty()) {
        return failure(ErrorCode::Unsupported, "no layer of this stage keeps a cache", "architecture",
            "check the model's groups and the stage's layers");
    }
    return result;
}

Result<void> checkHeadsDivide(const Architecture& architecture, const EngineSetup& setup)
{
    const std::int64_t tensor = setup.sharding.tensor;
    if (architecture.queryHeads % tensor != 0) {
        return failure(ErrorCode::Inconsistent,
            fmt::format("tensor parallelism of {} does not divide {} query heads", tensor, architecture.queryHeads),
            "parallelism", "choose a divisor of the query heads");
    }
    for (const AttentionGroup& group : architecture.groups) {
        const std::int64_t heads = kvHeadsOf(group.kind);
        if (heads > 0 && heads % tensor != 0 && tensor % heads != 0) {
            return failure(ErrorCode::Inconsistent,
                fmt::format(
                    "tensor parallelism of {} neither divides {} KV heads nor is a multiple of them", tensor, heads),
                "parallelism", "choose a divisor or a multiple of the KV heads");
        }
    }
    return {};
}

bool holds(const std::vector<RankLayers>& layers, LayerKind kind)
{
    return std::ranges::find(layers, kind, &RankLayers::kind) != layers.end();
}

} // namespace kvplan
