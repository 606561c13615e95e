// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/lengths.h"

#include <cstdint>

namespace kvplan {

/// H_B = 1 + 1/2 + … + 1/B, for B ≥ 1.
double harmonic(std::int64_t batch);

/// Share of a static batch's slots that do useful work when it runs until its longest member ends: E[O] / E[max of B].
/// For exponential outputs it is 1/H_B, whatever their mean.
double usefulShareExponential(std::int64_t batch);

/// The same for whole-token outputs of any distribution.
double usefulShare(const LengthDistribution& output, std::int64_t batch);

} // namespace kvplan
