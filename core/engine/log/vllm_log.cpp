// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/log/line_scanner.h"

#include <array>

namespace kvplan {

namespace {

constexpr std::array<LogPattern, 26> patterns{{
    {"Model loading took ", "weights_bytes", LogUnit::Memory},
    {"model weights take ", "weights_bytes", LogUnit::Memory},
    {"Loading model weights took ", "weights_bytes", LogUnit::Memory},
    {"Available KV cache memory:", "kv_pool_bytes", LogUnit::Memory},
    {"available KV cache memory:", "kv_pool_bytes", LogUnit::Memory},
    {"reserved for KV Cache is ", "kv_pool_bytes", LogUnit::Memory},
    {"kv_cache_size=", "kv_pool_bytes", LogUnit::Memory},
    {"Available memory: ", "kv_pool_bytes", LogUnit::Memory, "otal memory"},
    {"GPU KV cache size: ", "kv_tokens", LogUnit::Count, "tokens"},
    {"Maximum concurrency for ", "max_model_len", LogUnit::Count},
    {"tokens per request: ", "max_concurrency", LogUnit::Count},
    {"# GPU blocks: ", "pool_blocks", LogUnit::Count},
    {"# cuda blocks: ", "pool_blocks", LogUnit::Count},
    {"num_gpu_blocks is: ", "pool_blocks", LogUnit::Count},
    {"# CPU blocks: ", "cpu_blocks", LogUnit::Count},
    {"total_gpu_memory=", "total_bytes", LogUnit::Memory},
    {"total_gpu_memory (", "total_bytes", LogUnit::Memory},
    {"gpu_memory_utilization (", "memory_fraction", LogUnit::Count},
    {"peak_torch_memory=", "peak_torch_bytes", LogUnit::Memory},
    {"non_torch_memory=", "non_torch_bytes", LogUnit::Memory},
    {"non_torch_memory takes ", "non_torch_bytes", LogUnit::Memory},
    {"activation peak memory takes ", "activation_bytes", LogUnit::Memory},
    {"Graph capturing finished in ", "graph_seconds", LogUnit::Count},
    {"Setting attention block size to ", "block_tokens", LogUnit::Count},
    {"Padding mamba page size by ", "state_padding_percent", LogUnit::Count},
    {"padding layers, may waste at most ", "padding_layers_percent", LogUnit::Count},
}};

constexpr std::array<std::string_view, 3> versionMarkers{"vLLM API server version ", "LLM engine (v", "vLLM version "};

/// "(Worker_TP0 pid=12)", "(VllmWorker rank=1 pid=13)", "(EngineCore_DP0 pid=9)": the label without its process.
std::string_view rankOf(std::string_view line)
{
    for (const std::string_view opening : {"(Worker", "(VllmWorker", "(EngineCore", "(RayWorkerWrapper"}) {
        const std::size_t at = line.find(opening);
        if (at == std::string_view::npos) {
            continue;
        }
        std::string_view label = line.substr(at + 1, 64);
        const std::size_t end = std::min(label.find(" pid="), label.find(')'));
        return label.substr(0, end == std::string_view::npos ? 0 : end);
    }
    return {};
}

} // namespace

bool readVllmLine(EngineLog& log, std::string_view line)
{
    bool any = scan(log, line, rankOf(line), patterns);
    if (const auto rest = after(line, "Graph capturing finished in ")) {
        if (const auto took = figureAfter(*rest, "took ", LogUnit::Memory)) {
            keep(log, "graphs_bytes", rankOf(line), *took);
        }
    }
    for (const std::string_view marker : versionMarkers) {
        if (const std::string_view version = wordAfter(line, marker); !version.empty()) {
            log.version = version;
            any = true;
        }
    }
    if (any && line.find("tensor_parallel_size=") != std::string_view::npos) {
        for (const auto& [marker, name] : {std::pair{"model=", "model"}, {"tensor_parallel_size=", "tensor_parallel"},
                 {"pipeline_parallel_size=", "pipeline_parallel"}, {"kv_cache_dtype=", "kv_cache_dtype"},
                 {"max_seq_len=", "max_model_len"}}) {
            if (const std::string_view word = wordAfter(line, marker); !word.empty()) {
                log.settings[name] = word;
            }
        }
    }
    return any;
}

} // namespace kvplan
