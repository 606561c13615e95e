// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_version.h"
#include "core/plan/plan.h"
#include "core/units.h"

#include <cstdint>
#include <optional>

namespace kvplan {

/// A figure with its band.
struct Banded {
    Bytes bytes;
    Bytes low;
    Bytes high;
    Basis basis = Basis::Known;
};

Banded exactly(Bytes bytes, Basis basis);

/// Memory of one rank before the cache is laid out. An empty optional is estimated by the engine's rule.
struct EngineMemory {
    Banded capacity; ///< as the runtime sees it
    std::optional<double> fraction; ///< the engine's own, with its meaning
    Banded weights;
    std::optional<Banded> activation;
    std::optional<Banded> graphs;
    std::optional<Banded> other; ///< contexts, communication, other processes
    Bytes otherProcesses; ///< memory taken before the engine starts

    // What the estimates rest on.
    std::int64_t hidden = 0;
    std::int64_t vocabulary = 0;
    bool experts = false;
    Tokens maxBatchedTokens{8192};
    std::int64_t maxSequences = 256;
    std::int64_t tensor = 1;
    std::int64_t pipeline = 1;
};

/// vLLM: ⌈capacity · fraction⌉ less weights, activation peak, what is not torch's and, from 0.19, CUDA graphs. The
/// fraction is of the whole card: 0.90, from 0.22 0.92.
Budget vllmBudget(const EngineMemory& memory, const EngineVersion& version);

/// SGLang: what is free after the weights less capacity · (1 − fraction): activations and graphs live in what the
/// fraction leaves. Its default follows from what must be left (see sglangFraction()).
Budget sglangBudget(const EngineMemory& memory, const EngineVersion& version);

/// TensorRT-LLM: (capacity − everything the engine holds once loaded) · fraction, 0.9.
Budget tensorRtBudget(const EngineMemory& memory, const EngineVersion& version);

/// llama.cpp takes what its buffers need: capacity less weights, compute buffers and a margin of 1 GiB.
Budget llamaCppBudget(const EngineMemory& memory, const EngineVersion& version);

/// SGLang's static fraction when none is given: what it leaves is 512 MiB + 1.5 MiB a token of the prefill chunk +
/// 1 GiB · tp · pp / 8 + 2 MiB a sequence of the largest graph, at least 10 GiB on cards beyond 60 GiB. Source: its
/// server arguments since 0.5.16.
double sglangFraction(Bytes capacity, std::int64_t tensor, std::int64_t pipeline);

/// vLLM's gpu_memory_utilization when none is given.
double vllmFraction(const EngineVersion& version);

} // namespace kvplan
