// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

namespace kvplan {

/// The figures of a plan without its words: verdict, advice, warnings and assumptions are left empty.
Result<Plan> planFigures(const Scenario& scenario);

} // namespace kvplan
