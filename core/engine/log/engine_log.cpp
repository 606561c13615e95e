// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/log/engine_log.h"

#include "core/engine/log/line_scanner.h"

#include <algorithm>
#include <array>
#include <fstream>

namespace kvplan {

namespace {

constexpr std::size_t longestLine = std::size_t{64} << 10;
constexpr char escape = '\x1b';

struct Reader {
    std::string_view engine;
    bool (*read)(EngineLog&, std::string_view);
};

constexpr std::array<Reader, 3> readers{{
    {"vllm", &readVllmLine},
    {"sglang", &readSglangLine},
    {"tensorrt-llm", &readTensorRtLine},
}};

} // namespace

std::vector<LoggedFigure> EngineLog::all(std::string_view key) const
{
    std::vector<LoggedFigure> found;
    for (const auto& [place, figure] : figures) {
        if (place.first == key) {
            found.push_back(figure);
        }
    }
    return found;
}

std::optional<LoggedFigure> EngineLog::least(std::string_view key) const
{
    const std::vector<LoggedFigure> found = all(key);
    return found.empty() ? std::nullopt : std::optional(std::ranges::min(found, {}, &LoggedFigure::value));
}

EngineLogReader::EngineLogReader()
{
    m_line.reserve(1024);
}

void EngineLogReader::feed(std::string_view bytes)
{
    for (const char c : bytes) {
        take(c);
    }
}

void EngineLogReader::take(char c)
{
    if (c == '\n' || c == '\r') {
        m_escape = Escape::None;
        endLine();
        return;
    }
    switch (m_escape) {
    case Escape::Begun:
        m_escape = c == '[' ? Escape::Sequence : c == ']' ? Escape::Title : Escape::None;
        return;
    case Escape::Sequence:
        m_escape = c >= '@' && c <= '~' ? Escape::None : Escape::Sequence;
        return;
    case Escape::Title:
        m_escape = c == '\a' ? Escape::None : c == escape ? Escape::Begun : Escape::Title;
        return;
    case Escape::None:
        break;
    }
    if (c == escape) {
        m_escape = Escape::Begun;
    } else if (c != '\0' && m_line.size() < longestLine) {
        m_line += c;
    } else if (c != '\0') {
        m_cut = true;
    }
}

void EngineLogReader::endLine()
{
    if (m_line.empty()) {
        return;
    }
    ++m_log.lines;
    if (m_log.engine.empty() || m_log.engine == "llama.cpp") {
        if (readLlamaCppLine(m_log, m_line, m_windowSection)) {
            m_log.engine = "llama.cpp";
        }
    }
    for (const Reader& reader : readers) {
        if ((m_log.engine.empty() || m_log.engine == reader.engine) && reader.read(m_log, m_line)) {
            m_log.engine = reader.engine;
        }
    }
    m_line.clear();
}

EngineLog EngineLogReader::finish()
{
    endLine();
    if (m_cut) {
        m_log.warnings.emplace_back("lines longer than 64 KiB were cut");
    }
    return std::exchange(m_log, EngineLog{});
}

EngineLog readEngineLog(std::istream& stream)
{
    EngineLogReader reader;
    std::array<char, std::size_t{64} << 10> piece;
    while (stream) {
        stream.read(piece.data(), piece.size());
        reader.feed({piece.data(), static_cast<std::size_t>(stream.gcount())});
    }
    return reader.finish();
}

Result<EngineLog> readEngineLog(const std::filesystem::path& path)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        return failure(
            ErrorCode::Unreadable, "there is no such log file", path.string(), "give the path of a text file");
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        return failure(ErrorCode::Unreadable, "the log cannot be opened", path.string(), "check its permissions");
    }
    EngineLog log = readEngineLog(stream);
    if (log.engine.empty()) {
        return failure(ErrorCode::Syntax, "no line of a known engine is in the log", path.string(),
            "give the start of a log of vLLM, SGLang, TensorRT-LLM or llama.cpp");
    }
    return log;
}

} // namespace kvplan
