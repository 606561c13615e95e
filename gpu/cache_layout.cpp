// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cache_layout.h"

#include "core/cache/paging.h"
#include "gpu/block_pool.h"
#include "gpu/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace kvplan {

namespace {

constexpr std::int64_t laneMultiple = 8; // every vector width the kernel uses divides by it, or equals it

std::int64_t attendedTokens(const LayerShape& shape, Tokens length)
{
    return (length - firstAttended(shape, length)).count();
}

/// Any `window` tokens in a row touch at most this many blocks.
std::int64_t blocksOfWindow(std::int64_t window, std::int64_t blockTokens)
{
    return ceilDivide(window - 1, blockTokens) + 1;
}

ShapeLayout shapeLayout(const MeasureRequest& request, const LayerShape& shape, std::int64_t resident)
{
    ShapeLayout layout{shape, resident, 0, 0, Blocks(), Bytes(), Bytes(), Bytes(), Bytes()};
    layout.tableWidth = blocksFor(stepLength(request), request.blockTokens).count();
    layout.blocksPerSequence = shape.windowTokens > 0
        ? std::min(layout.tableWidth, blocksOfWindow(shape.windowTokens, request.blockTokens.count()))
        : layout.tableWidth;
    layout.blocks = Blocks(layout.blocksPerSequence) * request.sequences;
    const std::int64_t rows = checkedMultiply(shape.kvHeads, request.blockTokens.count());
    layout.keyBytes = rowBytes(request.format, shape.keyDim) * rows;
    layout.blockBytes
        = shape.latent ? layout.keyBytes : layout.keyBytes + rowBytes(request.format, shape.valueDim) * rows;
    layout.layerBytes = layout.blockBytes * layout.blocks.count();
    return layout;
}

Result<void> checkShape(const LayerShape& s)
{
    const auto refuse = [](std::string what, std::string mend) {
        return failure(ErrorCode::Unsupported, std::move(what), "measure", std::move(mend));
    };
    if (s.layers < 1 || s.queryHeads < 1 || s.kvHeads < 1 || s.keyDim < 1 || s.valueDim < 1 || s.windowTokens < 0) {
        return refuse("a layer shape has a figure below 1", "give layers, heads and widths of at least 1");
    }
    if (s.queryHeads % s.kvHeads != 0) {
        return refuse(fmt::format("{} KV heads do not divide {} query heads", s.kvHeads, s.queryHeads),
            "make query heads a multiple of KV heads");
    }
    if (s.keyDim % laneMultiple != 0 || s.valueDim % laneMultiple != 0) {
        return refuse(fmt::format("head widths {} and {} are not both multiples of 8", s.keyDim, s.valueDim),
            "choose head widths that are multiples of 8");
    }
    if (s.latent && (s.kvHeads != 1 || s.valueDim > s.keyDim)) {
        return refuse(fmt::format("a latent cache of width {} cannot hold values of width {} for {} KV heads", s.keyDim,
                          s.valueDim, s.kvHeads),
            "give a latent shape one KV head and values no wider than keys");
    }
    return {};
}

} // namespace

Tokens stepLength(const MeasureRequest& request)
{
    return request.context + Tokens(1);
}

Tokens firstAttended(const LayerShape& shape, Tokens length)
{
    return shape.windowTokens > 0 ? std::max(Tokens(0), length - Tokens(shape.windowTokens)) : Tokens(0);
}

std::int64_t totalLayers(const std::vector<LayerShape>& shapes)
{
    return std::accumulate(shapes.begin(), shapes.end(), std::int64_t{0},
        [](std::int64_t sum, const LayerShape& shape) { return checkedAdd(sum, shape.layers); });
}

std::vector<std::int64_t> shareLayers(const std::vector<LayerShape>& shapes, std::int64_t count)
{
    const std::int64_t total = totalLayers(shapes);
    std::vector<std::int64_t> resident(shapes.size());
    std::vector<std::size_t> byRemainder(shapes.size());
    std::iota(byRemainder.begin(), byRemainder.end(), 0);
    std::int64_t left = count;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        resident[i] = checkedMultiply(shapes[i].layers, count) / total;
        left -= resident[i];
    }
    std::ranges::stable_sort(
        byRemainder, std::greater<>(), [&](std::size_t i) { return checkedMultiply(shapes[i].layers, count) % total; });
    for (std::size_t i = 0; left > 0; ++i, --left) {
        ++resident[byRemainder[i]];
    }
    return resident;
}

Result<void> checkRequest(const MeasureRequest& request)
{
    return guarded("the cache to measure", [&]() -> Result<void> {
        const auto refuse = [](std::string what, std::string mend) {
            return failure(ErrorCode::InvalidValue, std::move(what), "measure", std::move(mend));
        };
        if (request.shapes.empty()) {
            return refuse("there is no layer with a growing cache", "choose a model with attention layers");
        }
        for (const LayerShape& shape : request.shapes) {
            if (const auto checked = checkShape(shape); !checked) {
                return checked;
            }
        }
        if (!hasElementCodec(request.format)) {
            return failure(ErrorCode::Unsupported, fmt::format("there is no kernel for {} yet", name(request.format)),
                "measure", "choose bf16, fp16, fp32 or int8 as the cache format");
        }
        if (request.sequences < 1 || request.context < Tokens(0) || request.blockTokens < Tokens(1)) {
            return refuse("sequences and block size must be at least 1 and the context at least 0",
                "give a context, a concurrency and a block size to measure");
        }
        if (request.steps < 1 || request.steps > 100'000) {
            return refuse(fmt::format("{} timed steps were asked for", request.steps), "ask for 1 to 100,000 steps");
        }
        const std::int64_t layers = totalLayers(request.shapes);
        if (request.layersResident && (*request.layersResident < 1 || *request.layersResident > layers)) {
            return refuse(
                fmt::format("{} resident layers were asked for and there are {}", *request.layersResident, layers),
                fmt::format("ask for 1 to {} layers, or for as many as fit", layers));
        }
        const CacheLayout layout = cacheLayout(request, layers);
        for (const ShapeLayout& shape : layout.shapes) {
            if (shape.blocks.count() >= BlockPool::noBlock) {
                return failure(ErrorCode::TooLarge,
                    fmt::format("{} blocks are more than a block table can name", shape.blocks.count()), "measure",
                    "use larger blocks, a shorter context or fewer sequences");
            }
        }
        flopsPerStep(request, layout);
        return {};
    });
}

CacheLayout cacheLayout(const MeasureRequest& request, std::int64_t layersResident)
{
    CacheLayout layout;
    const std::vector<std::int64_t> resident = shareLayers(request.shapes, layersResident);
    for (std::size_t i = 0; i < request.shapes.size(); ++i) {
        ShapeLayout shape = shapeLayout(request, request.shapes[i], resident[i]);
        shape.offset = layout.pool;
        layout.pool += shape.layerBytes * shape.residentLayers;
        layout.tables += Bytes(4) * shape.tableWidth * request.sequences;
        layout.blocks += shape.blocks;
        layout.shapes.push_back(shape);
    }
    return layout;
}

Bytes kvBytesPerStep(const MeasureRequest& request, const CacheLayout& layout)
{
    Bytes sum;
    for (const ShapeLayout& s : layout.shapes) {
        const Bytes token(s.blockBytes.count() / request.blockTokens.count());
        sum += token * attendedTokens(s.shape, stepLength(request)) * request.sequences * s.residentLayers;
    }
    return sum;
}

std::int64_t flopsPerStep(const MeasureRequest& request, const CacheLayout& layout)
{
    std::int64_t sum = 0;
    for (const ShapeLayout& s : layout.shapes) {
        const std::int64_t token
            = checkedMultiply(2 * s.shape.queryHeads, checkedAdd(s.shape.keyDim, s.shape.valueDim));
        const std::int64_t sequence = checkedMultiply(token, attendedTokens(s.shape, stepLength(request)));
        sum = checkedAdd(sum, checkedMultiply(sequence, checkedMultiply(request.sequences, s.residentLayers)));
    }
    return sum;
}

} // namespace kvplan
