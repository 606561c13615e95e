// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/group_bytes.h"

#include <algorithm>
#include <limits>

namespace kvplan {

namespace {

template <class... Visitors> struct Overloaded : Visitors... {
    using Visitors::operator()...;
};
template <class... Visitors> Overloaded(Visitors...) -> Overloaded<Visitors...>;

constexpr Tokens unbounded{std::numeric_limits<std::int64_t>::max()};

Bytes indexerBytes(std::int64_t dim)
{
    return dim == 0 ? Bytes(0) : Bytes(dim) + Bytes(4) * ceilDivide(dim, 128);
}

std::int64_t headsOnRank(std::int64_t heads, std::int64_t tensor)
{
    return std::max<std::int64_t>(1, ceilDivide(heads, tensor));
}

template <class Heads> Bytes headRows(const Heads& kind, CacheFormats formats, std::int64_t tensor)
{
    return (rowBytes(formats.key, kind.keyDim) + rowBytes(formats.value, kind.valueDim))
        * headsOnRank(kind.kvHeads, tensor);
}

struct Row {
    CacheFormat format;
    std::int64_t width;
};

std::vector<Row> rowsOf(const AttentionKind& kind, CacheFormats formats)
{
    const auto heads = [&](const auto& k) {
        return std::vector<Row>{{formats.key, k.keyDim}, {formats.value, k.valueDim}};
    };
    return std::visit(Overloaded{
                          [&](const FullAttention& k) { return heads(k); },
                          [&](const SlidingAttention& k) { return heads(k); },
                          [&](const ChunkedAttention& k) { return heads(k); },
                          [&](const CrossAttention& k) { return heads(k); },
                          [&](const LatentAttention& k) {
                              return std::vector<Row>{{formats.key, k.rank + k.ropeDim}};
                          },
                          [&](const CompressedAttention& k) {
                              return std::vector<Row>{{formats.key, k.entryDim}};
                          },
                          [](const RecurrentState&) { return std::vector<Row>{}; },
                          [](const SharedCache&) { return std::vector<Row>{}; },
                      },
        kind);
}

Tokens tokensOnRank(const LayerCost& cost, Tokens context, Sharding sharding)
{
    return cost.splitsTokens ? Tokens(ceilDivide(context.count(), sharding.decodeContext)) : context;
}

} // namespace

LayerCost layerCost(const AttentionKind& kind, CacheFormats formats, Sharding sharding)
{
    return std::visit(Overloaded{
                          [&](const FullAttention& k) {
                              LayerCost cost;
                              cost.perToken = headRows(k, formats, sharding.tensor) + indexerBytes(k.indexerDim);
                              cost.splitsTokens = true;
                              return cost;
                          },
                          [&](const SlidingAttention& k) {
                              LayerCost cost;
                              cost.perToken = headRows(k, formats, sharding.tensor);
                              cost.cap = k.window;
                              return cost;
                          },
                          [&](const ChunkedAttention& k) {
                              LayerCost cost;
                              cost.perToken = headRows(k, formats, sharding.tensor);
                              cost.cap = k.chunk;
                              return cost;
                          },
                          [&](const LatentAttention& k) {
                              LayerCost cost;
                              cost.perToken = rowBytes(formats.key, k.rank + k.ropeDim) + indexerBytes(k.indexerDim);
                              cost.splitsTokens = true;
                              return cost;
                          },
                          [&](const CompressedAttention& k) {
                              LayerCost cost;
                              cost.perToken = rowBytes(formats.key, k.entryDim);
                              cost.cap = k.window;
                              if (k.ratio > 0) {
                                  cost.compression = k.ratio;
                                  cost.perEntry = rowBytes(formats.key, k.entryDim) + indexerBytes(k.indexerDim);
                              }
                              return cost;
                          },
                          [&](const CrossAttention& k) {
                              LayerCost cost;
                              cost.fixed = headRows(k, formats, sharding.tensor) * k.encoderTokens.count();
                              return cost;
                          },
                          [&](const RecurrentState& k) {
                              LayerCost cost;
                              cost.fixed = Bytes(k.stateElementBytes) * ceilDivide(k.stateElements, sharding.tensor)
                                  + Bytes(k.convElementBytes) * ceilDivide(k.convElements, sharding.tensor);
                              return cost;
                          },
                          [](const SharedCache&) { return LayerCost{}; },
                      },
        kind);
}

Bytes layerBytes(const LayerCost& cost, Tokens context, Sharding sharding)
{
    const Tokens tokens = tokensOnRank(cost, context, sharding);
    const Tokens kept = cost.cap.count() > 0 ? std::min(tokens, cost.cap) : tokens;
    return cost.fixed + cost.perToken * kept.count() + cost.perEntry * ceilDivide(tokens.count(), cost.compression);
}

Result<void> checkFormats(const Architecture& architecture, CacheFormats formats)
{
    for (const AttentionGroup& group : architecture.groups) {
        const bool latent = std::holds_alternative<LatentAttention>(group.kind);
        for (const Row& row : rowsOf(group.kind, formats)) {
            if (row.format == CacheFormat::Fp8DsMla && !latent) {
                return failure(ErrorCode::Unsupported, "fp8_ds_mla holds latent rows and this model caches heads",
                    "cache format", "choose fp8, or a model with multi-head latent attention");
            }
            if (auto fits = checkRowWidth(row.format, row.width); !fits) {
                return fits;
            }
        }
    }
    return {};
}

std::vector<std::int64_t> tightestStage(
    const Architecture& architecture, CacheFormats formats, Sharding sharding, std::int64_t stages, Tokens context)
{
    std::vector<std::int64_t> layers;
    layers.reserve(architecture.groups.size());
    if (stages <= 1 || architecture.order.empty()) {
        for (const AttentionGroup& group : architecture.groups) {
            layers.push_back(ceilDivide(group.layers, stages));
        }
        return layers;
    }
    std::vector<Bytes> bytesOfGroup;
    bytesOfGroup.reserve(architecture.groups.size());
    for (const AttentionGroup& group : architecture.groups) {
        bytesOfGroup.push_back(layerBytes(layerCost(group.kind, formats, sharding), context, sharding));
    }
    const auto total = static_cast<std::int64_t>(architecture.order.size());
    Bytes heaviest{-1};
    std::int64_t begin = 0;
    for (std::int64_t stage = 0; stage < stages; ++stage) {
        const std::int64_t end = begin + total / stages + (stage < total % stages ? 1 : 0);
        std::vector<std::int64_t> count(architecture.groups.size(), 0);
        Bytes bytes;
        for (std::int64_t layer = begin; layer < end; ++layer) {
            const auto group = static_cast<std::size_t>(architecture.order[static_cast<std::size_t>(layer)]);
            ++count[group];
            bytes += bytesOfGroup[group];
        }
        if (bytes > heaviest) {
            heaviest = bytes;
            layers = std::move(count);
        }
        begin = end;
    }
    return layers;
}

Bytes stageBytes(const Architecture& architecture, const std::vector<std::int64_t>& layersOfGroup, CacheFormats formats,
    Sharding sharding, Tokens context)
{
    Bytes total;
    for (std::size_t i = 0; i < architecture.groups.size(); ++i) {
        total += layerBytes(layerCost(architecture.groups[i].kind, formats, sharding), context, sharding)
            * layersOfGroup[i];
    }
    return total;
}

SequenceCost sequenceCost(
    const Architecture& architecture, CacheFormats formats, Sharding sharding, std::int64_t stages, Tokens context)
{
    const std::vector<std::int64_t> layers = tightestStage(architecture, formats, sharding, stages, context);
    SequenceCost sum;
    for (std::size_t i = 0; i < architecture.groups.size(); ++i) {
        const LayerCost cost = layerCost(architecture.groups[i].kind, formats, sharding);
        sum.total += layerBytes(cost, context, sharding) * layers[i];
        sum.state += cost.fixed * layers[i];
        // Entries that several tokens share cost each of them its part, rounded up.
        const Bytes entryShare(ceilDivide(cost.perEntry.count(), cost.compression));
        const std::int64_t ranks = cost.splitsTokens ? sharding.decodeContext : 1;
        const Bytes perToken(ceilDivide((cost.perToken + entryShare).count(), ranks));
        sum.growing += perToken * layers[i];
        sum.marginal += (cost.cap.count() > 0 ? entryShare : perToken) * layers[i];
    }
    return sum;
}

} // namespace kvplan
