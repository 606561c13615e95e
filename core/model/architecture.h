// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cache/format.h"
#include "core/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kvplan {

/// Attends to every earlier token: S · kvHeads · (keyDim + valueDim) elements a layer.
struct FullAttention {
    std::int64_t kvHeads = 0;
    std::int64_t keyDim = 0;
    std::int64_t valueDim = 0;
    std::int64_t indexerDim = 0; ///< key of a sparse-attention indexer, elements a token; 0: none
    friend bool operator==(const FullAttention&, const FullAttention&) = default;
};

/// Attends to the last `window` tokens: min(S, window) of them are needed.
struct SlidingAttention {
    std::int64_t kvHeads = 0;
    std::int64_t keyDim = 0;
    std::int64_t valueDim = 0;
    Tokens window;
    friend bool operator==(const SlidingAttention&, const SlidingAttention&) = default;
};

/// Attends within the running chunk of `chunk` tokens: at most `chunk` tokens are needed.
struct ChunkedAttention {
    std::int64_t kvHeads = 0;
    std::int64_t keyDim = 0;
    std::int64_t valueDim = 0;
    Tokens chunk;
    friend bool operator==(const ChunkedAttention&, const ChunkedAttention&) = default;
};

/// Multi-head latent attention: one tensor of rank + ropeDim elements a token, the same on every tensor rank, and an
/// indexer key of indexerDim elements where sparse attention has one (stored in fp8 with a 4-byte scale per 128).
struct LatentAttention {
    std::int64_t rank = 0;
    std::int64_t ropeDim = 0;
    std::int64_t indexerDim = 0;
    friend bool operator==(const LatentAttention&, const LatentAttention&) = default;
};

/// DeepSeek-V4: ⌈S / ratio⌉ compressed entries of entryDim elements beside a window of plain ones; indexerDim elements
/// a compressed entry where the layer has an indexer. ratio 0: the window alone.
struct CompressedAttention {
    std::int64_t entryDim = 0;
    std::int64_t ratio = 0;
    Tokens window;
    std::int64_t indexerDim = 0;
    friend bool operator==(const CompressedAttention&, const CompressedAttention&) = default;
};

/// Attends to an encoder's output: a fixed number of tokens for each request.
struct CrossAttention {
    std::int64_t kvHeads = 0;
    std::int64_t keyDim = 0;
    std::int64_t valueDim = 0;
    Tokens encoderTokens;
    friend bool operator==(const CrossAttention&, const CrossAttention&) = default;
};

/// Mamba, gated delta net, KDA, RWKV and kin: a state of fixed size for each sequence.
struct RecurrentState {
    std::int64_t stateElements = 0; ///< elements of the recurrent state, one layer
    std::int64_t convElements = 0; ///< elements of the convolution's state, one layer
    std::int64_t stateElementBytes = 4;
    std::int64_t convElementBytes = 2;
    friend bool operator==(const RecurrentState&, const RecurrentState&) = default;
};

/// Reads the cache of another layer and holds none.
struct SharedCache {
    friend bool operator==(const SharedCache&, const SharedCache&) = default;
};

using AttentionKind = std::variant<FullAttention, SlidingAttention, ChunkedAttention, LatentAttention,
    CompressedAttention, CrossAttention, RecurrentState, SharedCache>;

/// `layers` layers that keep their cache alike.
struct AttentionGroup {
    std::int64_t layers = 0;
    AttentionKind kind;
    friend bool operator==(const AttentionGroup&, const AttentionGroup&) = default;
};

/// What a model keeps for each token and sequence, and how large its weights are. A value; 0 or an empty optional
/// means that the source did not say.
struct Architecture {
    std::string name;
    std::int64_t layers = 0; ///< decoder layers; groups may count more where a layer holds two caches
    std::int64_t hidden = 0;
    std::int64_t queryHeads = 0;
    std::vector<AttentionGroup> groups;
    std::vector<std::int32_t> order; ///< group of each layer in order, or empty where it is not known
    std::int64_t vocabulary = 0;
    std::optional<std::int64_t> parameters; ///< of the whole model
    std::optional<std::int64_t> activeParameters; ///< touched by one token
    std::int64_t embeddingParameters
        = 0; ///< of the whole: embeddings and output head, kept in 16 bits as others shrink
    std::string weightFormat; ///< of the checkpoint: "bf16", "fp8", …; empty: not known
    std::optional<Bytes> weightsBytes; ///< of the checkpoint, in weightFormat
    std::optional<CacheFormat> cacheFormat; ///< only where the checkpoint names the cache's own format
    std::optional<Tokens> maxPosition;
    std::string source; ///< where the figures come from
    std::vector<std::string> warnings; ///< what the reader could not know, a clause each

    friend bool operator==(const Architecture&, const Architecture&) = default;
};

/// The word for a kind as JSON spells it: full, sliding, chunked, latent, compressed, cross, recurrent, shared.
std::string_view kindName(const AttentionKind& kind);

/// KV heads of the first group that has any (latent: 1); 0 where there is none.
std::int64_t kvHeads(const Architecture& architecture);

/// Key width of the first group that has any (latent: rank + rope).
std::int64_t keyDim(const Architecture& architecture);
std::int64_t valueDim(const Architecture& architecture);

/// MHA, GQA 4:1, MQA, MLA, "GQA 8:1 + sliding 1,024", "GQA hybrid", … in the field's words.
std::string attentionName(const Architecture& architecture);

} // namespace kvplan
