// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <string>

namespace kvplan {

/// The same plan as aligned text for people: the verdict first, then what it rests on.
std::string planText(const Scenario& scenario, const Plan& plan);

} // namespace kvplan
