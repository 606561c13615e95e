// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/host_session.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace kvplan {

namespace {

/// SplitMix64: a bijection of its counter, so that any stretch can be made on its own. Source: Steele et al. 2014.
std::uint64_t mixed(std::uint64_t counter)
{
    std::uint64_t z = counter * 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

void fillUniform(float* at, std::int64_t count, std::uint64_t seed) // [−1, 1)
{
    for (std::int64_t i = 0; i < count; ++i) {
        at[i] = static_cast<float>(mixed(seed + static_cast<std::uint64_t>(i)) >> 40) * 0x1p-23F - 1.0F;
    }
}

std::vector<SequenceView> stepViews(const MeasureRequest& request, const LayerShape& shape)
{
    const Tokens length = stepLength(request);
    return std::vector<SequenceView>(static_cast<std::size_t>(request.sequences),
        SequenceView{nullptr, firstAttended(shape, length).count(), length.count()});
}

std::vector<WorkItem> stepItems(const MeasureRequest& request, const LayerShape& shape, int threads)
{
    return splitWork(stepViews(request, shape), request.blockTokens.count(), threads);
}

constexpr std::uint64_t poolSeed = 1;
constexpr std::uint64_t querySeed = 2;
constexpr std::uint64_t tokenSeed = 3;

std::uint64_t streamSeed(std::uint64_t seed, std::uint64_t stream)
{
    return mixed(mixed(seed) + stream);
}

} // namespace

Bytes WorkspaceLayout::bytes() const
{
    const std::int64_t floats
        = checkedAdd(checkedAdd(queries, outputs), checkedAdd(partials, checkedAdd(keys, values)));
    return Bytes(static_cast<std::int64_t>(sizeof(float))) * floats;
}

WorkspaceLayout workspaceLayout(const MeasureRequest& request, int threads)
{
    WorkspaceLayout layout;
    const auto grow = [&](std::int64_t& part, std::int64_t heads, std::int64_t width) {
        part = std::max(part, checkedMultiply(request.sequences, checkedMultiply(heads, width)));
    };
    for (const LayerShape& shape : request.shapes) {
        grow(layout.queries, shape.queryHeads, shape.keyDim);
        grow(layout.outputs, shape.queryHeads, shape.valueDim);
        grow(layout.keys, shape.kvHeads, shape.keyDim);
        grow(layout.values, shape.kvHeads, shape.latent ? 0 : shape.valueDim);
        const Tokens length = stepLength(request);
        const std::int64_t items = countWork(request.sequences, firstAttended(shape, length).count(), length.count(),
            request.blockTokens.count(), threads);
        layout.partials = std::max(layout.partials, workspaceFloats(shape, items));
    }
    return layout;
}

HostSession::HostSession(const MeasureRequest& request, CacheLayout layout, WorkspaceLayout workspace, int threads)
    : m_request(request)
    , m_layout(std::move(layout))
    , m_parts(workspace)
    , m_threads(threads)
{
}

Result<HostSession> HostSession::create(const MeasureRequest& request, std::int64_t layersResident, int threads)
{
    return guarded("the cache to measure", [&]() -> Result<HostSession> {
        HostSession session(request, cacheLayout(request, layersResident), workspaceLayout(request, threads), threads);
        const auto map = [](Mapping& into, Bytes size, bool hugePages) -> Result<void> {
            auto mapping = Mapping::create(size, hugePages);
            if (!mapping) {
                return tl::unexpected(mapping.error());
            }
            into = std::move(*mapping);
            return {};
        };
        for (const auto& mapped :
            {map(session.m_pool, session.m_layout.pool, true), map(session.m_tables, session.m_layout.tables, false),
                map(session.m_workspace, session.m_parts.bytes(), false)}) {
            if (!mapped) {
                return tl::unexpected(mapped.error());
            }
        }
        session.openSequences();
        return session;
    });
}

void HostSession::openSequences()
{
    auto* table = m_tables.as<std::int32_t>();
    std::fill_n(table, m_layout.tables.count() / 4, BlockPool::noBlock);
    for (std::size_t i = 0; i < m_layout.shapes.size(); ++i) {
        const ShapeLayout& layout = m_layout.shapes[i];
        Shape shape{BlockPool(layout.blocks, m_request.blockTokens, m_request.seed + i), table,
            stepViews(m_request, layout.shape), stepItems(m_request, layout.shape, m_threads)};
        for (SequenceView& view : shape.views) {
            shape.pool.extend(shape.pool.add(), m_request.context, firstAttended(layout.shape, m_request.context));
            view.table = table;
            table += layout.tableWidth;
        }
        m_shapes.push_back(std::move(shape));
    }
    auto* workspace = m_workspace.as<float>();
    std::memset(m_workspace.data(), 0, static_cast<std::size_t>(m_parts.bytes().count()));
    fillUniform(workspace, m_parts.queries, streamSeed(m_request.seed, querySeed));
    fillUniform(workspace + m_parts.queries, m_parts.keys + m_parts.values, streamSeed(m_request.seed, tokenSeed));
}

void HostSession::fill(Bytes from, Bytes to) const
{
    constexpr std::int64_t word = sizeof(std::uint64_t);
    const std::uint64_t seed = streamSeed(m_request.seed, poolSeed);
    constexpr std::int64_t grain = std::int64_t{2} << 20;
    const auto range = oneapi::tbb::blocked_range<std::int64_t>(from.count() / grain, ceilDivide(to.count(), grain));
    oneapi::tbb::parallel_for(range, [&](const oneapi::tbb::blocked_range<std::int64_t>& pieces) {
        const std::int64_t end = std::min(pieces.end() * grain, m_pool.size().count());
        std::int64_t at = pieces.begin() * grain;
        for (; at + word <= end; at += word) {
            const std::uint64_t elements
                = randomElements(m_request.format, mixed(seed + static_cast<std::uint64_t>(at)));
            std::memcpy(m_pool.data() + at, &elements, word);
        }
        const std::uint64_t last = randomElements(m_request.format, mixed(seed + static_cast<std::uint64_t>(at)));
        std::memcpy(m_pool.data() + at, &last, static_cast<std::size_t>(end - at));
    });
}

void HostSession::beginStep()
{
    for (std::size_t i = 0; i < m_shapes.size(); ++i) {
        Shape& shape = m_shapes[i];
        const ShapeLayout& layout = m_layout.shapes[i];
        const Tokens length = stepLength(m_request);
        for (BlockPool::Sequence sequence = 0; sequence < shape.pool.sequences(); ++sequence) {
            shape.pool.extend(sequence, length, firstAttended(layout.shape, length)); // the pool is made for this
            std::ranges::copy(
                shape.pool.table(sequence), shape.table + static_cast<std::int64_t>(sequence) * layout.tableWidth);
        }
    }
}

void HostSession::runLayer(std::size_t shape, std::int64_t layerIndex) const
{
    const Shape& s = m_shapes[shape];
    const LayerView view = layer(shape, layerIndex);
    const float* keys = queries() + m_parts.queries;
    appendToken(view, s.views, keys, keys + m_parts.keys);
    decodeLayer(view, s.views, s.items, queries(), outputs(), partials(), m_threads);
}

void HostSession::endStep()
{
    for (Shape& shape : m_shapes) {
        for (BlockPool::Sequence sequence = 0; sequence < shape.pool.sequences(); ++sequence) {
            shape.pool.truncate(sequence, m_request.context);
        }
    }
}

void HostSession::poisonOutputs() const
{
    std::fill_n(outputs(), m_parts.outputs, std::numeric_limits<float>::quiet_NaN());
}

LayerView HostSession::layer(std::size_t shape, std::int64_t layer) const
{
    const ShapeLayout& layout = m_layout.shapes[shape];
    return {layout.shape, m_request.format, randomScales(m_request.format), m_request.blockTokens.count(),
        layout.keyBytes.count(), layout.blockBytes.count(),
        m_pool.data() + (layout.offset + layout.layerBytes * layer).count()};
}

float* HostSession::outputs() const
{
    return m_workspace.as<float>() + m_parts.queries + m_parts.keys + m_parts.values;
}

float* HostSession::partials() const
{
    return outputs() + m_parts.outputs;
}

} // namespace kvplan
