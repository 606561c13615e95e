// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/scenario/fields.h"
#include "core/scenario/scenario.h"

#include <string>

namespace kvplan {

/// What a field does to the plan: the formula it enters, the same with this scenario's values, and the result, a line
/// each. `plan` is the scenario's own.
std::string explain(Field field, const Scenario& scenario, const Plan& plan);

} // namespace kvplan
