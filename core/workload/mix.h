// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/workload/lengths.h"

#include <cstdint>
#include <string>

namespace kvplan {

/// A request mix: prompt and output lengths, independent of each other.
struct Mix {
    LengthDistribution prompt;
    LengthDistribution output;
    friend bool operator==(const Mix&, const Mix&) = default;
};

/// What a decoding sequence holds at a random decode step, as a weighted set of context lengths. With J the number of
/// output tokens already cached, P(J = j) ∝ P(O > j) for j ≥ 1: a step meets long outputs more often (length bias).
/// The context is T = P + J; the last output token is never cached. E[T] = E[P(O−1) + O(O−1)/2] / E[O−1] exactly.
/// Source: renewal theory's equilibrium distribution; Kwon et al. 2023 for the paged cache.
class Residence {
public:
    static Result<Residence> of(const Mix& mix);

    /// E[T] in tokens, from exact moments where the distribution has them.
    double meanTokens() const { return m_meanTokens; }

    struct Point {
        double tokens;
        double weight; ///< sums to 1 over all points
    };
    /// At most a few hundred points whose weighted mean is meanTokens().
    const std::vector<Point>& points() const { return m_points; }

private:
    std::vector<Point> m_points;
    double m_meanTokens = 0;
};

/// The largest B with P(X₁ + … + X_B > pool) ≤ 1 − confidence for independent X that take `values[i]` with `weights[i]`
/// (weights sum to 1). Saddlepoint approximation of the tail (Lugannani and Rice 1980), exact where all values agree.
std::int64_t sequencesAtConfidence(
    const std::vector<double>& values, const std::vector<double>& weights, double pool, double confidence);

} // namespace kvplan
