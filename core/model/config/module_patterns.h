// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/parameters.h"

#include <cstdint>
#include <string_view>

namespace kvplan {

/// Whether a pattern from a quantisation's list of untouched modules names this part of layer `layer`. Patterns are
/// module names or parts of them, with * for anything, or simple regular expressions after "re:" (.*, \. and one group
/// of alternatives).
bool namesPart(std::string_view pattern, WeightPart part, std::int64_t layer);

} // namespace kvplan
