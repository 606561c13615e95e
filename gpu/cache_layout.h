// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/measurement.h"

#include <vector>

namespace kvplan {

/// Tokens a sequence holds during a step: the context and the step's own token.
Tokens stepLength(const MeasureRequest& request);

/// The first token that the last query of a sequence of `length` tokens attends to.
Tokens firstAttended(const LayerShape& shape, Tokens length);

/// Where the cache of the layers of one shape lies. A layer is `blocks` blocks one after another; a block holds K
/// [KV head][token][key width], then V [KV head][token][value width], or the latent alone. No padding anywhere.
struct ShapeLayout {
    LayerShape shape;
    std::int64_t residentLayers = 0;
    std::int64_t tableWidth = 0; ///< logical blocks of one sequence
    std::int64_t blocksPerSequence = 0; ///< of them held at once; fewer than tableWidth with a window
    Blocks blocks; ///< of one layer
    Bytes keyBytes; ///< K's part of a block
    Bytes blockBytes;
    Bytes layerBytes;
    Bytes offset; ///< of the first layer from the start of the pool
};

struct CacheLayout {
    std::vector<ShapeLayout> shapes;
    Bytes pool;
    Bytes tables; ///< 4 bytes a logical block of every sequence, one table for the layers of a shape
    Blocks blocks; ///< of one layer of each shape
};

/// Layers of each shape when only `count` of all can be resident: in proportion, largest remainders first.
std::vector<std::int64_t> shareLayers(const std::vector<LayerShape>& shapes, std::int64_t count);

std::int64_t totalLayers(const std::vector<LayerShape>& shapes);

/// Refuses what no kernel can run, naming it: a width that is not a multiple of 8, heads that do not divide, a format
/// without a kernel, nothing to do, more blocks than a 32-bit table can name.
Result<void> checkRequest(const MeasureRequest& request);

/// The layout with `layersResident` of all layers. Throws OverflowError.
CacheLayout cacheLayout(const MeasureRequest& request, std::int64_t layersResident);

/// Exact bytes of K and V that one step reads: Σ layers · sequences · attended tokens · row bytes.
Bytes kvBytesPerStep(const MeasureRequest& request, const CacheLayout& layout);

/// 2 · query heads · (key width + value width) for each attended token, layer and sequence.
std::int64_t flopsPerStep(const MeasureRequest& request, const CacheLayout& layout);

} // namespace kvplan
