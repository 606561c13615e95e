// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/fields.h"

#include <variant>

namespace kvplan {

/// Where a field lives in a Scenario. Private to core/scenario.
using Member = std::variant<std::int64_t Scenario::*, double Scenario::*, std::optional<std::int64_t> Scenario::*,
    std::optional<double> Scenario::*, std::optional<std::string> Scenario::*, CacheFormat Scenario::*,
    Engine Scenario::*, std::optional<LengthDistribution> Scenario::*>;

Member member(Field field);

} // namespace kvplan
