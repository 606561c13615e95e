// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/log/line_scanner.h"

#include <array>

namespace kvplan {

namespace {

constexpr std::array<LogPattern, 10> patterns{{
    {"Allocated ", "kv_pool_bytes", LogUnit::Memory, "for max tokens in paged KV cache ("},
    {"for max tokens in paged KV cache (", "kv_tokens", LogUnit::Count},
    {"KV cache primary pool: ", "pool_blocks", LogUnit::Count},
    {"primary blocks=", "pool_blocks", LogUnit::Count},
    {"primary blocks: ", "pool_blocks", LogUnit::Count},
    {"tokens per block=", "block_tokens", LogUnit::Count},
    {"Number of tokens per block: ", "block_tokens", LogUnit::Count},
    {"Loaded engine size: ", "weights_bytes", LogUnit::Memory},
    {"total: ", "total_bytes", LogUnit::Memory, "Memory usage when calculating max tokens"},
    {"available: ", "available_bytes", LogUnit::Memory, "Memory usage when calculating max tokens"},
}};

/// "[RANK 3]", "[TRT-LLM] [I] Rank 3 …"
std::string_view rankOf(std::string_view line)
{
    const std::size_t at = line.find("[RANK ");
    if (at == std::string_view::npos) {
        return {};
    }
    const std::string_view label = line.substr(at + 1, 16);
    const std::size_t end = label.find(']');
    return label.substr(0, end == std::string_view::npos ? 0 : end);
}

} // namespace

bool readTensorRtLine(EngineLog& log, std::string_view line)
{
    bool any = scan(log, line, rankOf(line), patterns);
    for (const std::string_view marker : {"TensorRT-LLM version: ", "TensorRT LLM version: "}) {
        if (const std::string_view version = wordAfter(line, marker); !version.empty()) {
            log.version = version;
            any = true;
        }
    }
    return any;
}

} // namespace kvplan
