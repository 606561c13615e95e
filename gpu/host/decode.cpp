// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/decode.h"

#include "gpu/host/decode_kernel.h"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kvplan {

namespace {

constexpr std::int64_t itemsPerThread = 16;
constexpr std::int64_t fewestTokens = 256;

/// Into how many stretches a sequence of [begin, end) is cut when all sequences together attend to `total` tokens.
std::int64_t partsOf(std::int64_t begin, std::int64_t end, std::int64_t total, std::int64_t blockTokens, int threads)
{
    const std::int64_t most = std::max(fewestTokens, ceilDivide(total, itemsPerThread * threads));
    const std::int64_t blocks = ceilDivide(end, blockTokens) - begin / blockTokens;
    return std::min(ceilDivide(end - begin, most), blocks);
}

std::int64_t partialFloats(const LayerShape& shape)
{
    return shape.queryHeads * (shape.valueDim + 2);
}

/// A partial result: accumulators [query head][value width], then maxima, then sums.
struct Partial {
    float* accumulators;
    float* maxima;
    float* sums;

    Partial(const LayerShape& shape, float* workspace, std::int64_t item)
        : accumulators(workspace + item * partialFloats(shape))
        , maxima(accumulators + shape.queryHeads * shape.valueDim)
        , sums(maxima + shape.queryHeads)
    {
    }
};

/// out = Σ weightᵢ · accumulatorᵢ / Σ weightᵢ · sumᵢ with weightᵢ = exp(maximumᵢ − largest maximum).
void mergeHead(std::span<const Partial> parts, std::int64_t head, std::int64_t width, float scale, float* out)
{
    std::fill_n(out, width, 0.0F);
    float largest = -std::numeric_limits<float>::infinity();
    for (const Partial& part : parts) {
        largest = std::max(largest, part.maxima[head]);
    }
    float sum = 0;
    for (const Partial& part : parts) {
        const float weight = std::exp(part.maxima[head] - largest);
        sum += weight * part.sums[head];
        const float* accumulators = part.accumulators + head * width;
        for (std::int64_t i = 0; i < width; ++i) {
            out[i] += weight * accumulators[i];
        }
    }
    const float factor = parts.empty() ? 0.0F : scale / sum;
    for (std::int64_t i = 0; i < width; ++i) {
        out[i] *= factor;
    }
}

} // namespace

std::byte* LayerView::keyRow(std::int32_t block, std::int64_t head, std::int64_t slot) const
{
    return blocks + block * blockBytes + (head * blockTokens + slot) * rowBytes(format, shape.keyDim).count();
}

std::byte* LayerView::valueRow(std::int32_t block, std::int64_t head, std::int64_t slot) const
{
    return shape.latent ? keyRow(block, head, slot)
                        : blocks + block * blockBytes + keyBytes
            + (head * blockTokens + slot) * rowBytes(format, shape.valueDim).count();
}

std::vector<WorkItem> splitWork(std::span<const SequenceView> sequences, std::int64_t blockTokens, int threads)
{
    std::int64_t total = 0;
    for (const SequenceView& sequence : sequences) {
        total += sequence.end - sequence.begin;
    }
    std::vector<WorkItem> items;
    for (std::size_t s = 0; s < sequences.size(); ++s) {
        const auto [table, begin, end] = sequences[s];
        const std::int64_t firstBlock = begin / blockTokens;
        const std::int64_t blocks = ceilDivide(end, blockTokens) - firstBlock;
        const std::int64_t parts = partsOf(begin, end, total, blockTokens, threads);
        for (std::int64_t part = 0; part < parts; ++part) {
            const std::int64_t from = (firstBlock + blocks * part / parts) * blockTokens;
            const std::int64_t to = (firstBlock + blocks * (part + 1) / parts) * blockTokens;
            items.push_back({static_cast<std::int64_t>(s), std::max(from, begin), std::min(to, end)});
        }
    }
    return items;
}

std::int64_t countWork(
    std::int64_t sequences, std::int64_t begin, std::int64_t end, std::int64_t blockTokens, int threads)
{
    const std::int64_t total = checkedMultiply(sequences, end - begin);
    return checkedMultiply(sequences, partsOf(begin, end, total, blockTokens, threads));
}

std::int64_t workspaceFloats(const LayerShape& shape, std::int64_t items)
{
    return checkedMultiply(items, partialFloats(shape));
}

void appendToken(
    const LayerView& layer, std::span<const SequenceView> sequences, const float* keys, const float* values)
{
    const LayerShape& shape = layer.shape;
    oneapi::tbb::parallel_for(std::size_t{0}, sequences.size(), [&](std::size_t s) {
        const SequenceView& sequence = sequences[s];
        if (sequence.end == 0) {
            return;
        }
        const std::int64_t token = sequence.end - 1;
        const std::int32_t block = sequence.table[token / layer.blockTokens];
        for (std::int64_t head = 0; head < shape.kvHeads; ++head) {
            const std::int64_t row = static_cast<std::int64_t>(s) * shape.kvHeads + head;
            const std::int64_t slot = token % layer.blockTokens;
            encodeElements(layer.format, keys + row * shape.keyDim, shape.keyDim, layer.scales.key,
                layer.keyRow(block, head, slot));
            if (!shape.latent) {
                encodeElements(layer.format, values + row * shape.valueDim, shape.valueDim, layer.scales.value,
                    layer.valueRow(block, head, slot));
            }
        }
    });
}

void decodeLayer(const LayerView& layer, std::span<const SequenceView> sequences, std::span<const WorkItem> items,
    const float* queries, float* outputs, float* workspace, int threads)
{
    const LayerShape& shape = layer.shape;

    AttendTask common;
    common.format = layer.format;
    common.queryHeads = shape.queryHeads;
    common.kvHeads = shape.kvHeads;
    common.keyDim = shape.keyDim;
    common.valueDim = shape.valueDim;
    common.latent = shape.latent;
    common.blockTokens = layer.blockTokens;
    common.layer = layer.blocks;
    common.blockBytes = layer.blockBytes;
    common.keyBytes = layer.keyBytes;
    common.scoreScale = layer.scales.key / std::sqrt(static_cast<float>(shape.keyDim));

    oneapi::tbb::task_arena arena(std::min(threads, oneapi::tbb::info::default_concurrency()));
    arena.execute([&] {
        oneapi::tbb::parallel_for(
            oneapi::tbb::blocked_range<std::size_t>(0, items.size(), 1),
            [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
                AttendTask task = common;
                for (std::size_t i = range.begin(); i < range.end(); ++i) {
                    const Partial partial(shape, workspace, static_cast<std::int64_t>(i));
                    task.table = sequences[static_cast<std::size_t>(items[i].sequence)].table;
                    task.begin = items[i].begin;
                    task.end = items[i].end;
                    task.query = queries + items[i].sequence * shape.queryHeads * shape.keyDim;
                    task.accumulators = partial.accumulators;
                    task.maxima = partial.maxima;
                    task.sums = partial.sums;
                    attend(task);
                }
            },
            oneapi::tbb::simple_partitioner());
        oneapi::tbb::parallel_for(std::size_t{0}, sequences.size(), [&](std::size_t s) {
            std::vector<Partial> parts;
            const auto [from, to]
                = std::ranges::equal_range(items, static_cast<std::int64_t>(s), std::less<>(), &WorkItem::sequence);
            for (auto item = from; item != to; ++item) {
                parts.emplace_back(shape, workspace, item - items.begin());
            }
            for (std::int64_t head = 0; head < shape.queryHeads; ++head) {
                const std::int64_t row = static_cast<std::int64_t>(s) * shape.queryHeads + head;
                mergeHead(parts, head, shape.valueDim, layer.valueScale(), outputs + row * shape.valueDim);
            }
        });
    });
}

} // namespace kvplan
