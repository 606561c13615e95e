// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/log/logged_figure.h"
#include "core/error.h"

#include <cstdint>
#include <filesystem>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kvplan {

/// What a server said while it started. Of each key and rank the last figure stands. Keys: weights_bytes,
/// kv_pool_bytes, pool_blocks, kv_tokens, max_concurrency, max_model_len, block_tokens, k_bytes, v_bytes, cells,
/// activation_bytes, non_torch_bytes, graphs_bytes, and the engines' own beside them.
struct EngineLog {
    std::string engine; ///< as engineRules() names it; empty: none was recognised
    std::string version; ///< as the log has it
    std::map<std::pair<std::string, std::string>, LoggedFigure> figures; ///< by key, then rank's label ("" if none)
    std::map<std::string, std::string, std::less<>> settings; ///< "model", "kv_cache_dtype", …
    std::int64_t lines = 0;
    std::vector<std::string> warnings;

    /// Every rank's figure of a key.
    std::vector<LoggedFigure> all(std::string_view key) const;
    /// The least of them.
    std::optional<LoggedFigure> least(std::string_view key) const;
};

/// Takes a log in pieces of any size and holds no more than a line of it. Colours, carriage returns and the zero bytes
/// of 16-bit encodings are dropped; a line beyond 64 KiB is cut; unrelated lines are passed over.
class EngineLogReader {
public:
    EngineLogReader();
    void feed(std::string_view bytes);
    EngineLog finish();

private:
    void take(char c);
    void endLine();

    enum class Escape { None, Begun, Sequence, Title };
    EngineLog m_log;
    std::string m_line;
    Escape m_escape = Escape::None;
    bool m_cut = false;
    bool m_windowSection = false;
};

/// Reads a whole stream in pieces of 64 KiB.
EngineLog readEngineLog(std::istream& stream);

/// Reads a file; refuses one that cannot be opened, is no regular file or holds no line of a known engine.
Result<EngineLog> readEngineLog(const std::filesystem::path& path);

} // namespace kvplan
