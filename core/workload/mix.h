// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/workload/lengths.h"

#include <cstdint>
#include <vector>

namespace kvplan {

/// A request mix: prompt and output lengths, independent of each other.
struct Mix {
    LengthDistribution prompt;
    LengthDistribution output;
    friend bool operator==(const Mix&, const Mix&) = default;
};

/// A value that is taken with a probability.
struct WeightedValue {
    double value = 0;
    double weight = 0;
};

/// What a decoding sequence holds at a random decode step. With J the number of output tokens already cached,
/// P(J = j) ∝ P(O > j) for j ≥ 1: a step meets long outputs more often (length bias). The context is T = P + J; the
/// last output token is never cached. E[T] = E[P(O − 1) + O(O − 1)/2] / E[O − 1]. Source: the equilibrium distribution
/// of renewal theory.
class Residence {
public:
    /// Refuses a mix whose mean residence diverges (an uncut Pareto with a shape of 2 or less).
    static Result<Residence> of(const Mix& mix);

    /// E[T] in tokens, from the moments.
    double meanTokens() const { return m_meanTokens; }

    /// T as at most 1,024 weighted values, weights summing to 1: Gauss points of 16 strata of P and of J. Their mean
    /// is meanTokens(), and variance and skewness are T's own but for the part of an unbounded law beyond its
    /// longest().
    const std::vector<WeightedValue>& points() const { return m_points; }

private:
    std::vector<WeightedValue> m_points;
    double m_meanTokens = 0;
};

/// The largest B with P(X₁ + … + X_B > pool) ≤ 1 − confidence for independent X ≥ 0 distributed as `values`, whose
/// weights sum to 1, and 0 < confidence < 1; at most 2⁴⁰, and 0 where X or the pool is 0. Exact where all values agree.
/// Sums of few, or of many that are skewed, are convolved on a lattice by Fourier transform; near normality the tail is
/// Lugannani and Rice's saddlepoint approximation (1980).
std::int64_t sequencesAtConfidence(const std::vector<WeightedValue>& values, double pool, double confidence);

/// P(X₁ + … + X_B > pool) by the same rules.
double overflowProbability(const std::vector<WeightedValue>& values, std::int64_t sequences, double pool);

} // namespace kvplan
