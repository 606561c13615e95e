// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/log/line_scanner.h"

#include <array>

namespace kvplan {

namespace {

constexpr std::array<LogPattern, 14> patterns{{
    {"mem usage=", "weights_bytes", LogUnit::Memory, "Load weight end"},
    {"mem usage=", "graphs_bytes", LogUnit::Memory, "apture cuda graph end"},
    {"avail mem=", "free_after_weights_bytes", LogUnit::Memory, "Load weight end"},
    {"avail mem=", "free_after_pool_bytes", LogUnit::Memory, "Memory pool end"},
    {"max_total_num_tokens=", "kv_tokens", LogUnit::Count},
    {"max_running_requests=", "max_running_requests", LogUnit::Count},
    {"context_len=", "max_model_len", LogUnit::Count},
    {"max_mamba_cache_size: ", "state_slots", LogUnit::Count},
    {"conv_state size: ", "conv_bytes", LogUnit::Memory},
    {"ssm_state size: ", "ssm_bytes", LogUnit::Memory},
    {"full_layer_tokens=", "kv_tokens", LogUnit::Count},
    {"swa_layer_tokens=", "window_tokens", LogUnit::Count},
    {"max_total_num_tokens: ", "kv_tokens", LogUnit::Count},
    {"KV size: ", "kv_bytes", LogUnit::Memory, "#tokens: "},
}};

/// "[2026-02-01 10:00:00 DP0 TP3 EP3]" → "DP0 TP3 EP3".
std::string_view rankOf(std::string_view line)
{
    const std::size_t close = line.find(']');
    if (line.empty() || line.front() != '[' || close == std::string_view::npos || close > 96) {
        return {};
    }
    const std::string_view stamp = line.substr(1, close - 1);
    for (const std::string_view part : {"DP", "TP", "PP", "EP"}) {
        const std::size_t at = stamp.find(part);
        if (at != std::string_view::npos && (at == 0 || stamp[at - 1] == ' ')) {
            return stamp.substr(std::min(at, stamp.find("TP")));
        }
    }
    return {};
}

/// A hybrid prints two pools with the same words. The one with more tokens is the full one.
void keepPool(EngineLog& log, std::string_view line, std::string_view rank)
{
    const auto tokens = figureAfter(line, "#tokens: ", LogUnit::Count);
    if (!tokens) {
        return;
    }
    const auto known = log.figures.find({"kv_tokens", std::string(rank)});
    const auto move = [&](const char* key, const char* to) {
        if (const auto found = log.figures.find({key, std::string(rank)}); found != log.figures.end()) {
            keep(log, to, rank, found->second);
        }
    };
    std::string prefix;
    if (known != log.figures.end() && known->second.value > tokens->value) {
        prefix = "window_";
        keep(log, "window_tokens", rank, *tokens);
    } else {
        if (known != log.figures.end() && known->second.value < tokens->value) {
            move("kv_tokens", "window_tokens");
            move("k_bytes", "window_k_bytes");
            move("v_bytes", "window_v_bytes");
        }
        keep(log, "kv_tokens", rank, *tokens);
    }
    for (const auto& [marker, key] : {std::pair{" K size: ", "k_bytes"}, {" V size: ", "v_bytes"}}) {
        if (const auto figure = figureAfter(line, marker, LogUnit::Memory)) {
            keep(log, prefix + key, rank, *figure);
        }
    }
}

} // namespace

bool readSglangLine(EngineLog& log, std::string_view line)
{
    const std::string_view rank = rankOf(line);
    const bool allocated = line.find("KV Cache is allocated") != std::string_view::npos;
    if (allocated) {
        keepPool(log, line, rank);
    }
    const bool any = scan(log, line, rank, patterns) || allocated;
    if (const std::string_view version = wordAfter(line, "SGLang version "); !version.empty()) {
        log.version = version;
        return true;
    }
    if (const auto arguments = after(line, "server_args=ServerArgs(")) {
        for (const auto& [marker, name] :
            {std::pair{"model_path=", "model"}, {"tp_size=", "tensor_parallel"}, {"kv_cache_dtype=", "kv_cache_dtype"},
                {"mem_fraction_static=", "memory_fraction"}, {"page_size=", "block_tokens"}}) {
            if (const std::string_view word = wordAfter(*arguments, marker); !word.empty()) {
                log.settings[name] = word;
            }
        }
        return true;
    }
    return any;
}

} // namespace kvplan
