// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace kvplan {

/// The one name that `query` means. Names match without case, spaces and punctuation: an exact match wins; else every
/// word of the query must begin a word of the name, in order ("H100 SXM" finds "H100 SXM5 80GB"); words are runs of
/// letters and digits. None is an Error, and so are several, which it lists. `what` is the thing ("model").
Result<std::size_t> matchName(
    const std::vector<std::string_view>& names, std::string_view query, std::string_view what);

} // namespace kvplan
