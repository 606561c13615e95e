// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_version.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace kvplan {

std::optional<EngineVersion> parseEngineVersion(std::string_view text)
{
    const std::size_t begin = text.find_first_of("0123456789");
    if (begin == std::string_view::npos) {
        return std::nullopt;
    }
    std::array<std::int64_t, 3> parts{};
    const char* at = text.data() + begin;
    const char* const end = text.data() + text.size();
    for (std::int64_t& part : parts) {
        const auto [next, error] = std::from_chars(at, end, part);
        if (error != std::errc()) {
            break;
        }
        at = next;
        if (at == end || *at != '.') {
            break;
        }
        ++at;
    }
    return EngineVersion{parts[0], parts[1], parts[2]};
}

std::string text(const EngineVersion& version)
{
    return fmt::format("{}.{}.{}", version.first, version.second, version.third);
}

} // namespace kvplan
