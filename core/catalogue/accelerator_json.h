// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/accelerator.h"
#include "core/error.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace kvplan {

/// A card as the catalogue and scenario files hold it; figures that are not known are left out.
nlohmann::json toJson(const Accelerator& accelerator);

/// Takes back what toJson gave. What is missing, of the wrong type, or out of any card's range is refused with its
/// path.
Result<Accelerator> acceleratorFromJson(const nlohmann::json& object, std::string_view where);

} // namespace kvplan
