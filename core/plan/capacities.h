// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/plan/footprint.h"
#include "core/plan/plan.h"

namespace kvplan {

/// The capacities of one pool, side by side. `pool` is the raw cache's room on one accelerator; all figures count all
/// replicas. Mean field: pool ÷ the length-biased mean residence of the mix. At a confidence: see
/// sequencesAtConfidence.
Result<Concurrency> capacities(const Scenario& scenario, const Footprint& footprint, Bytes pool);

} // namespace kvplan
