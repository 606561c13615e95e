// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/log/line_scanner.h"

namespace kvplan {

namespace {

constexpr std::size_t mostFigures = 4096;

} // namespace

std::optional<std::string_view> after(std::string_view line, std::string_view marker)
{
    const std::size_t at = line.find(marker);
    return at == std::string_view::npos ? std::nullopt : std::optional(line.substr(at + marker.size()));
}

std::optional<LoggedFigure> figureAfter(std::string_view line, std::string_view marker, LogUnit unit)
{
    const auto rest = after(line, marker);
    if (!rest) {
        return std::nullopt;
    }
    if (unit == LogUnit::Count) {
        std::size_t used = 0;
        return parseLogged(*rest, used);
    }
    return parseLoggedBytes(*rest);
}

void keep(EngineLog& log, std::string_view key, std::string_view rank, const LoggedFigure& figure)
{
    const std::pair place{std::string(key), std::string(rank)};
    const auto found = log.figures.find(place);
    if (found != log.figures.end()) {
        found->second = figure;
    } else if (log.figures.size() < mostFigures) {
        log.figures.emplace(place, figure);
    } else if (log.warnings.empty()) {
        log.warnings.emplace_back("the log names more ranks than are kept: the later ones are left out");
    }
}

bool scan(EngineLog& log, std::string_view line, std::string_view rank, std::span<const LogPattern> patterns)
{
    bool any = false;
    for (const LogPattern& pattern : patterns) {
        if (!pattern.context.empty() && line.find(pattern.context) == std::string_view::npos) {
            continue;
        }
        if (const auto figure = figureAfter(line, pattern.marker, pattern.unit)) {
            keep(log, pattern.key, rank, *figure);
            any = true;
        }
    }
    return any;
}

std::string_view wordAfter(std::string_view line, std::string_view marker)
{
    const auto rest = after(line, marker);
    if (!rest) {
        return {};
    }
    const std::size_t begin = rest->find_first_not_of(" '\"");
    if (begin == std::string_view::npos) {
        return {};
    }
    const std::size_t end = rest->find_first_of(" ,'\")]};", begin);
    return rest->substr(begin, end == std::string_view::npos ? end : end - begin).substr(0, 256);
}

} // namespace kvplan
