// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/block_pool.h"
#include "gpu/cache_layout.h"
#include "gpu/host/decode.h"
#include "gpu/host/mapping.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace kvplan {

/// Floats of each part of the workspace, one after another.
struct WorkspaceLayout {
    std::int64_t queries = 0; ///< [sequence][query head][key width] of the largest shape
    std::int64_t keys = 0; ///< the step's new tokens
    std::int64_t values = 0;
    std::int64_t outputs = 0;
    std::int64_t partials = 0; ///< results of stretches, before they are merged

    Bytes bytes() const;
};

WorkspaceLayout workspaceLayout(const MeasureRequest& request, int threads);

/// A paged cache in the CPU's memory with its sequences at the request's context, and decode steps over it. Everything
/// is given back on destruction.
class HostSession {
public:
    /// Maps pool, tables and workspace, without touching the pool.
    static Result<HostSession> create(const MeasureRequest& request, std::int64_t layersResident, int threads);

    /// Fills a stretch of the pool from all threads with seeded random elements.
    void fill(Bytes from, Bytes to) const;

    /// Appends the step's token to every sequence, taking blocks, and brings the tables up to date.
    void beginStep();
    /// Writes the new token and attends, in one layer. Between beginStep() and endStep().
    void runLayer(std::size_t shape, std::int64_t layer) const;
    /// Takes the token back, so that every step sees the same context.
    void endStep();

    /// Fills the outputs with NaN, so that what a layer does not write shows.
    void poisonOutputs() const;

    const CacheLayout& layout() const { return m_layout; }
    LayerView layer(std::size_t shape, std::int64_t layer) const;
    const std::vector<SequenceView>& sequences(std::size_t shape) const { return m_shapes[shape].views; }
    const std::vector<WorkItem>& items(std::size_t shape) const { return m_shapes[shape].items; }
    const BlockPool& blocks(std::size_t shape) const { return m_shapes[shape].pool; }

    const float* queries() const { return m_workspace.as<float>(); }
    float* outputs() const;
    float* partials() const;
    int threads() const { return m_threads; }

    const Mapping& pool() const { return m_pool; }
    const Mapping& tables() const { return m_tables; }
    const Mapping& workspace() const { return m_workspace; }

private:
    struct Shape {
        BlockPool pool;
        std::int32_t* table; ///< [sequence][table width]
        std::vector<SequenceView> views;
        std::vector<WorkItem> items;
    };

    HostSession(const MeasureRequest& request, CacheLayout layout, WorkspaceLayout workspace, int threads);
    void openSequences();

    MeasureRequest m_request;
    CacheLayout m_layout;
    WorkspaceLayout m_parts;
    int m_threads;
    Mapping m_pool;
    Mapping m_tables;
    Mapping m_workspace;
    std::vector<Shape> m_shapes;
};

} // namespace kvplan
