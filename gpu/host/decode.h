// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cache/format.h"
#include "gpu/cache_layout.h"
#include "gpu/element.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kvplan {

/// The tokens of one sequence that its last query attends to.
struct SequenceView {
    const std::int32_t* table = nullptr; ///< physical block of each logical block
    std::int64_t begin = 0;
    std::int64_t end = 0; ///< the sequence's length; the step's own token is end − 1
};

/// One layer of the cache.
struct LayerView {
    LayerShape shape;
    CacheFormat format = CacheFormat::Bf16;
    TensorScales scales;
    std::int64_t blockTokens = 0;
    std::int64_t keyBytes = 0; ///< of a block
    std::int64_t blockBytes = 0;
    std::byte* blocks = nullptr;

    float valueScale() const { return shape.latent ? scales.key : scales.value; }
    std::byte* keyRow(std::int32_t block, std::int64_t head, std::int64_t slot) const;
    std::byte* valueRow(std::int32_t block, std::int64_t head, std::int64_t slot) const; ///< latent: the key's row
};

/// A stretch of a sequence that one thread works on.
struct WorkItem {
    std::int64_t sequence = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// Cuts sequences into stretches of whole blocks: about sixteen for each thread, none below 256 tokens. Items are in
/// order of sequence and token; a sequence without tokens has none.
std::vector<WorkItem> splitWork(std::span<const SequenceView> sequences, std::int64_t blockTokens, int threads);

/// How many items splitWork() makes of `sequences` sequences that all attend to [begin, end).
std::int64_t countWork(
    std::int64_t sequences, std::int64_t begin, std::int64_t end, std::int64_t blockTokens, int threads);

/// Floats that decodeLayer() needs for so many items: a partial result each.
std::int64_t workspaceFloats(const LayerShape& shape, std::int64_t items);

/// Writes one token of K and V ([sequence][KV head][width], fp32) at the end of each sequence. Sequences without tokens
/// are passed over. `values` is not read when the layer is latent.
void appendToken(
    const LayerView& layer, std::span<const SequenceView> sequences, const float* keys, const float* values);

/// Attention of one query token for each sequence on all cores: queries [sequence][query head][key width] in, outputs
/// [sequence][query head][value width] out, both fp32. Softmax of q · k / √(key width). Stretches of a
/// sequence are merged by log-sum-exp. A sequence without tokens gives zeros.
void decodeLayer(const LayerView& layer, std::span<const SequenceView> sequences, std::span<const WorkItem> items,
    const float* queries, float* outputs, float* workspace, int threads);

} // namespace kvplan
