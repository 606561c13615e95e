// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/mix.h"

#include <cstdint>
#include <vector>

namespace kvplan {

// Two ways to P(X₁ + … + X_B > pool) for independent X distributed as `values`, which are not negative and whose
// weights sum to 1. Private to core/workload.

/// Mean, standard deviation, skewness and ends of a weighted set.
struct Spread {
    double mean = 0;
    double deviation = 0;
    double skewness = 0;
    double least = 0;
    double largest = 0;
};
Spread spreadOf(const std::vector<WeightedValue>& values);

/// By Fourier transform on a lattice over the pool: P(S ≤ pool) = Σ_k s_k with ŝ = x̂^B. Values between two lattice
/// points are spread over three so that mean and variance stay; a set that already lies on a coarse enough lattice is
/// summed exactly. Wrapping round is damped to 10⁻⁹. For sums of so few that each value spans a lattice step or more.
class LatticeTail {
public:
    LatticeTail(const std::vector<WeightedValue>& values, double pool);

    /// Whether the values lie on a lattice that it can hold, so that it is exact for any number of sequences.
    static bool exactFor(const std::vector<WeightedValue>& values, double pool);

    double operator()(std::int64_t sequences) const;

private:
    struct Frequency {
        double logModulus; ///< of the transform of one X
        double phase;
        double kernelReal; ///< what the frequency adds to P(S ≤ pool)
        double kernelImaginary;
    };
    std::vector<Frequency> m_frequencies;
};

/// By Lugannani and Rice's saddlepoint approximation (1980), for sums of so many that they are near to normal.
class SaddlepointTail {
public:
    SaddlepointTail(const std::vector<WeightedValue>& values, const Spread& spread, double pool);

    double operator()(std::int64_t sequences) const;

private:
    const std::vector<WeightedValue>& m_values;
    Spread m_spread;
    double m_pool;
};

} // namespace kvplan
