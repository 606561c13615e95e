// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/log/line_scanner.h"

#include <string>

namespace kvplan {

namespace {

/// "size = 4224.00 MiB (135168 cells, 8 layers, 4/1 seqs), K (f16): 2112.00 MiB, V (f16): 2112.00 MiB"
bool readBuffer(EngineLog& log, std::string_view line, const std::string& prefix)
{
    const bool old
        = line.find("KV self size") != std::string_view::npos || line.find("kv self size") != std::string_view::npos;
    const auto total = figureAfter(line, old ? "self size = " : "size = ", LogUnit::Memory);
    if (!total || (!old && line.find(" cells") == std::string_view::npos)) {
        return false;
    }
    keep(log, prefix + "kv_bytes", "", *total);
    if (const std::size_t open = line.find('('); !old && open != std::string_view::npos) {
        if (const auto cells = figureAfter(line.substr(open), "(", LogUnit::Count)) {
            keep(log, prefix + "cells", "", *cells);
        }
    }
    for (const auto& [marker, key] : {std::pair{" K (", "k_bytes"}, {" V (", "v_bytes"}}) {
        if (const auto rest = after(line, marker)) {
            if (const auto bytes = figureAfter(*rest, "): ", LogUnit::Memory)) {
                keep(log, prefix + key, "", *bytes);
            }
            log.settings[prefix + key] = std::string(rest->substr(0, std::min<std::size_t>(rest->find(')'), 16)));
        }
    }
    return true;
}

bool readStates(EngineLog& log, std::string_view line)
{
    const auto total = figureAfter(line, "size = ", LogUnit::Memory);
    if (!total) {
        return false;
    }
    keep(log, "state_bytes", "", *total);
    for (const auto& [marker, key] : {std::pair{" R (f32): ", "r_bytes"}, {" S (f32): ", "s_bytes"}}) {
        if (const auto bytes = figureAfter(line, marker, LogUnit::Memory)) {
            keep(log, key, "", *bytes);
        }
    }
    return true;
}

/// "llama_context: n_ctx = 8192", not "n_ctx_train = …".
bool readSetting(EngineLog& log, std::string_view line)
{
    bool any = false;
    for (const auto& [name, key] : {std::pair{"n_ctx", "context_tokens"}, {"n_ctx_per_seq", "max_model_len"},
             {"n_ctx_seq", "max_model_len"}, {"n_seq_max", "sequences"}, {"n_ubatch", "micro_batch_tokens"}}) {
        const auto rest = after(line, std::string(name) + " ");
        if (!rest) {
            continue;
        }
        const std::size_t equals = rest->find_first_not_of(' ');
        if (equals == std::string_view::npos || (*rest)[equals] != '=') {
            continue;
        }
        std::size_t used = 0;
        if (const auto figure = parseLogged(rest->substr(equals + 1), used)) {
            keep(log, key, "", *figure);
            any = true;
        }
    }
    return any;
}

/// The name in front of a buffer's line: "CUDA0", "CPU".
std::string_view deviceOf(std::string_view line)
{
    const std::size_t at = line.find(" compute buffer size");
    const std::size_t begin = line.rfind(' ', at - 1);
    return line.substr(begin == std::string_view::npos ? 0 : begin + 1, at - begin - 1).substr(0, 32);
}

/// "6123 (abc123) with cc …"
bool isBuild(std::string_view text)
{
    const std::size_t end = text.find_first_not_of("0123456789");
    return end != 0 && end != std::string_view::npos && text.substr(end).starts_with(" (");
}

} // namespace

bool readLlamaCppLine(EngineLog& log, std::string_view line, bool& window)
{
    if (line.starts_with("build: ") && isBuild(line.substr(7))) {
        log.version = "b" + std::string(wordAfter(line, "build: "));
        return true;
    }
    if (line.find("llama_") == std::string_view::npos && line.find("print_info: file size") == std::string_view::npos) {
        return line.starts_with("llm_load") && readSetting(log, line);
    }
    if (line.find("creating") != std::string_view::npos && line.find("SWA KV cache") != std::string_view::npos) {
        window = line.find("non-SWA") == std::string_view::npos;
        return true;
    }
    if (line.find("memory_recurrent") != std::string_view::npos) {
        return readStates(log, line);
    }
    if (line.find(" compute buffer size") != std::string_view::npos) {
        if (const auto bytes = figureAfter(line, "compute buffer size =", LogUnit::Memory)) {
            keep(log, "activation_bytes", deviceOf(line), *bytes);
        }
        return true;
    }
    if (const auto size = figureAfter(line, "file size   = ", LogUnit::Memory)) {
        keep(log, "weights_bytes", "", *size);
        return true;
    }
    const bool cache
        = line.find("kv_cache") != std::string_view::npos || line.find("self size") != std::string_view::npos;
    return (cache && readBuffer(log, line, window ? "window_" : "")) || readSetting(log, line);
}

} // namespace kvplan
