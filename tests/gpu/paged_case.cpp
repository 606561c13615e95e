// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/paged_case.h"

#include "core/cache/paging.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace kvplan {

namespace {

constexpr std::byte poison{0xFF}; // NaN in every floating format

Blocks blocksOf(const PagedShape& shape)
{
    Blocks sum(3); // never handed out: all poison
    for (const std::int64_t length : shape.lengths) {
        sum += blocksFor(Tokens(length), Tokens(shape.blockTokens));
    }
    return sum;
}

} // namespace

PagedCase::PagedCase(const PagedShape& shape)
    : m_shape(shape)
    , m_pool(blocksOf(shape), Tokens(shape.blockTokens), shape.seed)
{
    m_layer.shape = {1, queryHeads(), shape.kvHeads, shape.keyDim, shape.valueDim, shape.windowTokens, shape.latent};
    m_layer.format = shape.format;
    m_layer.scales = shape.format == CacheFormat::Int8 ? TensorScales{1.0F / 64, 1.0F / 200} : TensorScales{};
    m_layer.blockTokens = shape.blockTokens;
    m_layer.keyBytes = keyBytes() * shape.kvHeads * shape.blockTokens;
    m_layer.blockBytes = m_layer.keyBytes + (shape.latent ? 0 : valueBytes() * shape.kvHeads * shape.blockTokens);

    std::mt19937_64 random(shape.seed);
    std::uniform_real_distribution<float> uniform(-1.5F, 1.5F);
    for (std::size_t s = 0; s < shape.lengths.size(); ++s) {
        m_pool.extend(m_pool.add(), Tokens(end(s)), Tokens(begin(s)));
        Rows rows;
        std::vector<float> row(static_cast<std::size_t>(std::max(shape.keyDim, shape.valueDim)));
        const auto fill = [&](std::vector<std::byte>& into, std::int64_t width, std::int64_t bytes, float scale) {
            into.resize(static_cast<std::size_t>(shape.kvHeads * stored(s) * bytes));
            for (std::int64_t i = 0; i < shape.kvHeads * stored(s); ++i) {
                std::ranges::generate(row, [&] { return uniform(random); });
                encodeElements(shape.format, row.data(), width, scale, into.data() + i * bytes);
            }
        };
        fill(rows.keys, shape.keyDim, keyBytes(), m_layer.scales.key);
        fill(rows.values, shape.valueDim, valueBytes(), m_layer.scales.value);
        m_rows.push_back(std::move(rows));
    }
    m_queries.resize(shape.lengths.size() * static_cast<std::size_t>(queryHeads() * shape.keyDim));
    std::ranges::generate(m_queries, [&] { return uniform(random); });
}

std::int64_t PagedCase::begin(std::size_t sequence) const
{
    return m_shape.windowTokens > 0 ? std::max<std::int64_t>(0, end(sequence) - m_shape.windowTokens) : 0;
}

void PagedCase::setToken(std::size_t sequence, std::int64_t token, float key, float value)
{
    const std::vector<float> keys(static_cast<std::size_t>(m_shape.keyDim), key);
    const std::vector<float> values(static_cast<std::size_t>(m_shape.valueDim), value);
    for (std::int64_t head = 0; head < m_shape.kvHeads; ++head) {
        const std::int64_t row = head * stored(sequence) + token;
        encodeElements(m_shape.format, keys.data(), m_shape.keyDim, m_layer.scales.key,
            m_rows[sequence].keys.data() + row * keyBytes());
        encodeElements(m_shape.format, values.data(), m_shape.valueDim, m_layer.scales.value,
            m_rows[sequence].values.data() + row * valueBytes());
    }
}

void PagedCase::store(std::size_t sequence, const std::function<std::int32_t(std::int32_t)>& physical)
{
    std::vector<std::int32_t>& table = m_tables[sequence];
    table.assign(m_pool.table(sequence).begin(), m_pool.table(sequence).end());
    table.push_back(BlockPool::noBlock);
    for (std::int32_t& block : table) {
        block = block == BlockPool::noBlock ? block : physical(block);
    }
    // The token after the end is stored where its block is held: a kernel that reads it must not go unseen.
    for (std::int64_t token = 0; token < stored(sequence); ++token) {
        const std::int32_t block = table[static_cast<std::size_t>(token / m_shape.blockTokens)];
        if (block == BlockPool::noBlock) {
            continue;
        }
        const std::int64_t slot = token % m_shape.blockTokens;
        for (std::int64_t head = 0; head < m_shape.kvHeads; ++head) {
            const std::int64_t row = head * stored(sequence) + token;
            std::byte* at = m_layer.blocks + block * m_layer.blockBytes;
            const std::int64_t place = head * m_shape.blockTokens + slot;
            std::memcpy(at + place * keyBytes(), m_rows[sequence].keys.data() + row * keyBytes(),
                static_cast<std::size_t>(keyBytes()));
            if (!m_shape.latent) {
                std::memcpy(at + m_layer.keyBytes + place * valueBytes(),
                    m_rows[sequence].values.data() + row * valueBytes(), static_cast<std::size_t>(valueBytes()));
            }
        }
    }
}

void PagedCase::run()
{
    m_memory.assign(static_cast<std::size_t>(m_layer.blockBytes * blocks()), poison);
    runAt(m_memory.data(), [](std::int32_t block) { return block; });
}

void PagedCase::runAt(std::byte* base, const std::function<std::int32_t(std::int32_t)>& physical)
{
    m_layer.blocks = base;
    m_tables.resize(m_shape.lengths.size());
    std::vector<SequenceView> views;
    for (std::size_t s = 0; s < m_shape.lengths.size(); ++s) {
        store(s, physical);
        views.push_back({m_tables[s].data(), begin(s), end(s)});
    }
    const std::vector<WorkItem> items = splitWork(views, m_shape.blockTokens, m_shape.threads);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> workspace(
        static_cast<std::size_t>(workspaceFloats(m_layer.shape, static_cast<std::int64_t>(items.size()))), nan);
    m_outputs.assign(m_shape.lengths.size() * static_cast<std::size_t>(queryHeads() * m_shape.valueDim), nan);
    decodeLayer(m_layer, views, items, m_queries.data(), m_outputs.data(), workspace.data(), m_shape.threads);
}

std::vector<double> PagedCase::expected(std::size_t sequence, std::int64_t head) const
{
    return expected(sequence, head, begin(sequence), end(sequence));
}

std::vector<double> PagedCase::expected(
    std::size_t sequence, std::int64_t head, std::int64_t first, std::int64_t last) const
{
    return expected(matrices(sequence, head / m_shape.group, first, last), sequence, head, first, last);
}

PagedCase::Matrices PagedCase::matrices(
    std::size_t sequence, std::int64_t kvHead, std::int64_t first, std::int64_t last) const
{
    const auto matrix = [&](const std::vector<std::byte>& rows, std::int64_t width, std::int64_t bytes, float scale) {
        oracle::Matrix result(static_cast<std::size_t>(stored(sequence)));
        for (std::int64_t token = first; token < last; ++token) {
            const auto* row
                = reinterpret_cast<const unsigned char*>(rows.data() + (kvHead * stored(sequence) + token) * bytes);
            std::vector<double>& values = result[static_cast<std::size_t>(token)];
            values.reserve(static_cast<std::size_t>(width));
            for (std::int64_t i = 0; i < width; ++i) {
                values.push_back(
                    oracle::storedValue(m_shape.format, row, static_cast<std::size_t>(i), static_cast<double>(scale)));
            }
        }
        return result;
    };
    const Rows& rows = m_rows[sequence];
    return {matrix(rows.keys, m_shape.keyDim, keyBytes(), m_layer.scales.key),
        m_shape.latent ? oracle::Matrix() : matrix(rows.values, m_shape.valueDim, valueBytes(), m_layer.scales.value)};
}

std::vector<double> PagedCase::expected(
    const Matrices& matrices, std::size_t sequence, std::int64_t head, std::int64_t first, std::int64_t last) const
{
    const auto* query = m_queries.data() + (static_cast<std::int64_t>(sequence) * queryHeads() + head) * m_shape.keyDim;
    return oracle::attention({query, query + m_shape.keyDim}, matrices.keys,
        m_shape.latent ? matrices.keys : matrices.values, static_cast<std::size_t>(first),
        static_cast<std::size_t>(last), static_cast<std::size_t>(m_shape.valueDim));
}

double PagedCase::worstError() const
{
    double worst = 0;
    for (std::size_t s = 0; s < m_shape.lengths.size(); ++s) {
        std::vector<double> all;
        for (std::int64_t kvHead = 0; kvHead < m_shape.kvHeads; ++kvHead) {
            const Matrices stored = matrices(s, kvHead, begin(s), end(s));
            for (std::int64_t head = kvHead * m_shape.group; head < (kvHead + 1) * m_shape.group; ++head) {
                const std::vector<double> one = expected(stored, s, head, begin(s), end(s));
                all.insert(all.end(), one.begin(), one.end());
            }
        }
        const double error = oracle::relativeError(m_outputs.data() + s * all.size(), all);
        if (std::isnan(error)) {
            return error;
        }
        worst = std::max(worst, error);
    }
    return worst;
}

} // namespace kvplan
