// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace kvplan {

/// Parses a JSON object as Python's json module writes it: the bare words Infinity, -Infinity and NaN are taken
/// as texts of that name. Refuses text that is not JSON with the line where it stops being so, anything but an object,
/// and nesting deeper than 64 before it is parsed. `where` is how errors call the text.
Result<nlohmann::json> parseJsonObject(std::string_view text, std::string_view where);

} // namespace kvplan
