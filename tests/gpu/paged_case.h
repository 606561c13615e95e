// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/block_pool.h"
#include "gpu/host/decode.h"
#include "tests/oracle/dense_attention.h"

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

namespace kvplan {

struct PagedShape {
    CacheFormat format = CacheFormat::Bf16;
    std::int64_t kvHeads = 2;
    std::int64_t group = 1;
    std::int64_t keyDim = 64;
    std::int64_t valueDim = 64;
    std::int64_t windowTokens = 0;
    bool latent = false;
    std::int64_t blockTokens = 16;
    std::vector<std::int64_t> lengths;
    std::uint64_t seed = 1;
    int threads = 2;
};

/// A paged cache in random block order with everything that no query may read poisoned, the kernel's outputs over it,
/// and the oracle's.
class PagedCase {
public:
    explicit PagedCase(const PagedShape& shape);

    /// Replaces one stored token in all heads by rows of these constants, before run().
    void setToken(std::size_t sequence, std::int64_t token, float key, float value);
    void setQueries(float value) { std::fill(m_queries.begin(), m_queries.end(), value); }

    /// Lays the blocks somewhere else: block b at base + b · stride, with these physical blocks.
    void runAt(std::byte* base, const std::function<std::int32_t(std::int32_t)>& physical);
    void run();

    /// Largest relative error of any sequence against the oracle.
    double worstError() const;
    /// The oracle's own answer for one head over other tokens than the query attends to.
    std::vector<double> expected(std::size_t sequence, std::int64_t head, std::int64_t begin, std::int64_t end) const;
    std::vector<double> expected(std::size_t sequence, std::int64_t head) const;

    std::int64_t begin(std::size_t sequence) const;
    std::int64_t end(std::size_t sequence) const { return m_shape.lengths[sequence]; }
    const std::vector<float>& outputs() const { return m_outputs; }
    std::int64_t queryHeads() const { return m_shape.kvHeads * m_shape.group; }
    std::int64_t blocks() const { return m_pool.total().count(); }
    const LayerView& layer() const { return m_layer; }

private:
    struct Matrices {
        oracle::Matrix keys;
        oracle::Matrix values; ///< empty when latent
    };
    struct Rows { ///< of one sequence: [head][token][element], as stored
        std::vector<std::byte> keys;
        std::vector<std::byte> values;
    };

    Matrices matrices(std::size_t sequence, std::int64_t kvHead, std::int64_t first, std::int64_t last) const;
    std::vector<double> expected(
        const Matrices& matrices, std::size_t sequence, std::int64_t head, std::int64_t first, std::int64_t last) const;
    void store(std::size_t sequence, const std::function<std::int32_t(std::int32_t)>& physical);
    std::int64_t keyBytes() const { return rowBytes(m_shape.format, m_shape.keyDim).count(); }
    std::int64_t valueBytes() const { return rowBytes(m_shape.format, m_shape.valueDim).count(); }
    std::int64_t stored(std::size_t sequence) const { return m_shape.lengths[sequence] + 1; } ///< one more than seen

    PagedShape m_shape;
    LayerView m_layer;
    BlockPool m_pool;
    std::vector<Rows> m_rows;
    std::vector<float> m_queries;
    std::vector<float> m_outputs;
    std::vector<std::byte> m_memory;
    std::vector<std::vector<std::int32_t>> m_tables;
};

} // namespace kvplan
