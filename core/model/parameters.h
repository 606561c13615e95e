// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace kvplan {

/// Parts of a model's parameters that checkpoints quantise, or leave alone, as one.
enum class WeightPart {
    Embedding, ///< tokens, positions
    Head, ///< the output matrix, where it is not the embedding
    Attention, ///< and what stands in its place: linear attention, state-space layers
    Dense, ///< feed-forward layers without experts
    Routed, ///< experts a router chooses
    Shared, ///< experts every token meets
    Small, ///< norms, routers, biases
};
constexpr std::size_t weightParts = 7;

/// Parameters by part. Sums throw OverflowError.
struct ParameterCount {
    std::array<std::int64_t, weightParts> parts{};
    std::int64_t routedActive = 0; ///< of Routed, those one token meets

    void add(WeightPart part, std::int64_t parameters);
    std::int64_t of(WeightPart part) const { return parts[static_cast<std::size_t>(part)]; }
    std::int64_t total() const;
    /// All but the experts that one token does not meet; embeddings included.
    std::int64_t active() const;
};

/// Query, key, value and output matrices: hidden·q·(d_k·gates + d_v) + hidden·h_kv·(d_k + d_v). `queryFactor` is 2
/// where an output gate doubles the query matrix; `keyIsValue` where one matrix serves both.
struct ProjectionShape {
    std::int64_t hidden = 0;
    std::int64_t queryHeads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t keyDim = 0;
    std::int64_t valueDim = 0;
    std::int64_t queryFactor = 1;
    bool keyIsValue = false;
};
std::int64_t projectionParameters(const ProjectionShape& shape);

/// Multi-head latent attention (DeepSeek-V2): queries through a rank of their own or straight (0), keys and values
/// through `rank`, the rotary part beside it. An indexer adds its query, key and weight matrices.
struct LatentShape {
    std::int64_t hidden = 0;
    std::int64_t queryHeads = 0;
    std::int64_t queryRank = 0;
    std::int64_t rank = 0;
    std::int64_t nopeDim = 0;
    std::int64_t ropeDim = 0;
    std::int64_t valueDim = 0;
    std::int64_t indexerHeads = 0;
    std::int64_t indexerDim = 0;
};
std::int64_t latentParameters(const LatentShape& shape);

/// Gated delta net: projections of q, k, v, z and two gates a value head, the convolution, the output.
std::int64_t gatedDeltaParameters(std::int64_t hidden, std::int64_t keyHeads, std::int64_t keyDim,
    std::int64_t valueHeads, std::int64_t valueDim, std::int64_t kernel);

/// Mamba: input, convolution, Δ with B and C, A, D, output.
std::int64_t mamba1Parameters(
    std::int64_t hidden, std::int64_t inner, std::int64_t state, std::int64_t kernel, std::int64_t deltaRank);

/// Mamba-2: input (z, x, B, C, Δ), convolution, A, D and the bias of Δ, gated norm, output.
std::int64_t mamba2Parameters(std::int64_t hidden, std::int64_t heads, std::int64_t headDim, std::int64_t groups,
    std::int64_t state, std::int64_t kernel);

/// One feed-forward layer or expert: gate, up and down, or up and down.
std::int64_t feedForwardParameters(std::int64_t hidden, std::int64_t width, bool gated);

} // namespace kvplan
