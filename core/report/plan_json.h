// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <string>

namespace kvplan {

/// A plan as one JSON object, indented by two spaces. Keys end in their unit; bytes, tokens and blocks are integers,
/// and so is every other figure that happens to be whole. `mean_field` and `at_confidence` are null without a mix.
/// `scenario` holds every field's value in force under its key, null where nothing is.
std::string planJson(const Scenario& scenario, const Plan& plan);

} // namespace kvplan
