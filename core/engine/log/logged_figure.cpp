// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/log/logged_figure.h"

#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace kvplan {

namespace {

constexpr std::size_t mostDigits = 30;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::size_t blanks(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? text.size() : first;
}

/// A comma belongs to a number when three digits follow it and no fourth.
bool groupsThousands(std::string_view text, std::size_t comma)
{
    return comma + 3 < text.size() && isDigit(text[comma + 1]) && isDigit(text[comma + 2]) && isDigit(text[comma + 3])
        && (comma + 4 == text.size() || !isDigit(text[comma + 4]));
}

} // namespace

std::optional<LoggedFigure> parseLogged(std::string_view text, std::size_t& used)
{
    std::size_t at = blanks(text);
    std::string digits;
    std::size_t decimals = 0;
    bool point = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (isDigit(c)) {
            digits += c;
            decimals += point ? 1 : 0;
        } else if (c == '.' && !point && !digits.empty() && at + 1 < text.size() && isDigit(text[at + 1])) {
            digits += c;
            point = true;
        } else if (c != ',' || point || digits.empty() || !groupsThousands(text, at)) {
            break;
        }
        if (digits.size() > mostDigits) {
            return std::nullopt;
        }
    }
    LoggedFigure figure;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), figure.value);
    if (digits.empty() || error != std::errc()) {
        return std::nullopt;
    }
    double half = point ? 0.5 : 0;
    for (std::size_t i = 0; i < decimals; ++i) {
        half /= 10;
    }
    figure.low = figure.value - half;
    figure.high = figure.value + half;
    used = at;
    return figure;
}

std::optional<LoggedFigure> parseLoggedBytes(std::string_view text)
{
    std::size_t used = 0;
    const auto figure = parseLogged(text, used);
    if (!figure) {
        return std::nullopt;
    }
    text.remove_prefix(used);
    text.remove_prefix(blanks(text));
    constexpr std::array<std::pair<std::string_view, double>, 7> units{
        {{"GiB", 0x1p30}, {"GB", 0x1p30}, {"MiB", 0x1p20}, {"MB", 0x1p20}, {"KiB", 0x1p10}, {"KB", 0x1p10}, {"B", 1}}};
    for (const auto& [name, bytes] : units) {
        if (text.starts_with(name)) {
            return figure->times(bytes);
        }
    }
    return *figure;
}

} // namespace kvplan
