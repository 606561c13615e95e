// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <optional>

namespace kvplan {

/// L = λ · W over one boundary. Source: Little 1961.
struct Little {
    double inSystem = 0; ///< L, sequences
    double ratePerSecond = 0; ///< λ
    double timeSeconds = 0; ///< W
};

/// Completes any two of the three; with all three given they must agree to 1e-9. Refuses fewer than two, values that
/// are negative or not finite, and a rate or a time of 0 where it would have to be divided by.
Result<Little> littlesLaw(
    std::optional<double> inSystem, std::optional<double> ratePerSecond, std::optional<double> timeSeconds);

} // namespace kvplan
