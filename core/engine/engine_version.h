// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kvplan {

/// A release of an engine. A llama.cpp build number is the first part: b6869 is {6869, 0, 0}.
struct EngineVersion {
    std::int64_t first = 0;
    std::int64_t second = 0;
    std::int64_t third = 0;

    friend auto operator<=>(const EngineVersion&, const EngineVersion&) = default;
};

/// The first run of numbers in a text, joined by dots: "v0.17.1rc1", "0.11.0.post2", "0.13.x", "b6869 (abc)". What
/// follows them is left out, so that a candidate counts as its release. Empty when the text holds no number.
std::optional<EngineVersion> parseEngineVersion(std::string_view text);

/// "0.20.1"
std::string text(const EngineVersion& version);

} // namespace kvplan
