// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace kvplan {

/// A figure as JSON shows it best: whole ones without a decimal point, and null for what is not a number.
inline nlohmann::ordered_json jsonNumber(double value)
{
    if (!std::isfinite(value)) {
        return nullptr;
    }
    if (value == std::floor(value) && std::abs(value) < 0x1p53) {
        return static_cast<std::int64_t>(value);
    }
    return value;
}

/// The text of one object. Bytes that are not UTF-8 (a file's name can hold them) become U+FFFD.
inline std::string jsonText(const nlohmann::ordered_json& object)
{
    return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace kvplan
