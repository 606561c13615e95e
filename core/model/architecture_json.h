// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/model/architecture.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace kvplan {

/// An architecture as the catalogue and scenario files hold it; figures that are not known are left out. `order` is
/// written as runs: [[group, layers], …].
nlohmann::json toJson(const Architecture& architecture);

/// Takes back what toJson gave. Anything that is missing, of the wrong type, negative or larger than any model is
/// refused with the key's path; `where` is the path of the object itself.
Result<Architecture> architectureFromJson(const nlohmann::json& object, std::string_view where);

} // namespace kvplan
