// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/log/engine_log.h"

#include <optional>
#include <span>
#include <string_view>

namespace kvplan {

enum class LogUnit {
    Count,
    Memory, ///< a unit of bytes follows; none: bytes
};

/// After `marker`, within a line that also holds `context`, stands a figure of `key`.
struct LogPattern {
    std::string_view marker;
    std::string_view key;
    LogUnit unit;
    std::string_view context = {};
};

/// What follows the first `marker` of a line; empty where it is not in it.
std::optional<std::string_view> after(std::string_view line, std::string_view marker);

/// The figure right after `marker`; blanks may lie between.
std::optional<LoggedFigure> figureAfter(std::string_view line, std::string_view marker, LogUnit unit);

/// Puts a figure where rank's last one stood. Beyond 4,096 figures new ones are left out, with a warning.
void keep(EngineLog& log, std::string_view key, std::string_view rank, const LoggedFigure& figure);

/// Keeps the figures of all patterns that a line holds. Whether there was any.
bool scan(EngineLog& log, std::string_view line, std::string_view rank, std::span<const LogPattern> patterns);

/// A word after `marker`, up to a blank, comma, quote or bracket, without quotes.
std::string_view wordAfter(std::string_view line, std::string_view marker);

/// One engine's lines. `window` is the reader's memory of the section a line lies in (llama.cpp). Whether the line was
/// one of the engine's.
bool readVllmLine(EngineLog& log, std::string_view line);
bool readSglangLine(EngineLog& log, std::string_view line);
bool readTensorRtLine(EngineLog& log, std::string_view line);
bool readLlamaCppLine(EngineLog& log, std::string_view line, bool& window);

} // namespace kvplan
