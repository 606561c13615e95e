// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace kvplan {

/// A figure as a log prints it, with the interval it may have been rounded from: half a unit of the last digit printed
/// to either side. Whole numbers are exact.
struct LoggedFigure {
    double value = 0;
    double low = 0;
    double high = 0;

    LoggedFigure times(double factor) const { return {value * factor, low * factor, high * factor}; }
    bool holds(double candidate) const { return low <= candidate && candidate <= high; }
    friend bool operator==(const LoggedFigure&, const LoggedFigure&) = default;
};

/// A number at the beginning of `text`, after blanks: "8.22 GiB", "53,136 tokens", "2.05x". `used` gets the length
/// read. Empty when there is none, or it has more than 30 digits.
std::optional<LoggedFigure> parseLogged(std::string_view text, std::size_t& used);

/// The same followed by a unit of bytes: B, KB, KiB, MB, MiB, GB, GiB. Engines print GB and MB for binary units, so all
/// of them are. Without a unit the figure is bytes.
std::optional<LoggedFigure> parseLoggedBytes(std::string_view text);

} // namespace kvplan
