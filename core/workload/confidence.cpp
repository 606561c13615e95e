// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/mix.h"

#include "core/workload/sum_tail.h"

#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kvplan {

namespace {

constexpr double few = 16; ///< sums of fewer are taken exactly
constexpr double many = 4096; ///< sums of more are beyond the lattice
constexpr double nearlyNormal = 0.15; ///< skewness of a sum up to which the saddlepoint is as good as exact
constexpr double rounding = 1e-8; ///< of a tail: what is allowed exactly is allowed
constexpr std::int64_t mostSequences = std::int64_t{1} << 40;

bool degenerate(const Spread& spread)
{
    return spread.deviation <= 1e-9 * spread.mean;
}

/// B with B·mean + σ√B·z + σ·γ(z² − 1)/6 = pool: a normal sum, corrected for its skewness γ (Cornish and Fisher 1938).
double nearNormalGuess(const Spread& spread, double pool, double confidence)
{
    const double z = -std::numbers::sqrt2 * boost::math::erfc_inv(2 * confidence);
    const double room = std::max(0.0, pool - spread.deviation * spread.skewness * (z * z - 1) / 6);
    const double half = z * spread.deviation / (2 * spread.mean);
    const double root = std::sqrt(half * half + room / spread.mean) - half;
    return root * root;
}

/// Calls `use` with the tail that suits a pool of about pool ÷ mean sequences.
template <class Use> auto withTail(const std::vector<WeightedValue>& values, const Spread& spread, double pool, Use use)
{
    const double typical = pool / spread.mean;
    const bool skewed = std::abs(spread.skewness) > nearlyNormal * std::sqrt(typical);
    const bool lattice = typical < few || (skewed && typical < many) || LatticeTail::exactFor(values, pool);
    return lattice ? use(LatticeTail(values, pool)) : use(SaddlepointTail(values, spread, pool));
}

/// The largest b that `allows` admits, which `certain` is and beyond which none is. Widening strides from `start` find
/// a b on either side of it.
template <class Allows> std::int64_t largestAllowed(std::int64_t certain, std::int64_t start, Allows allows)
{
    std::int64_t fits = certain;
    std::int64_t fails = mostSequences;
    if (start == certain || allows(start)) {
        fits = start;
        for (std::int64_t stride = 1; fits + stride < mostSequences; stride *= 2) {
            if (!allows(fits + stride)) {
                fails = fits + stride;
                break;
            }
            fits += stride;
        }
    } else {
        fails = start;
        for (std::int64_t stride = 1; fails - stride > certain; stride *= 2) {
            if (allows(fails - stride)) {
                fits = fails - stride;
                break;
            }
            fails -= stride;
        }
    }
    while (fails - fits > 1) {
        const std::int64_t middle = fits + (fails - fits) / 2;
        (allows(middle) ? fits : fails) = middle;
    }
    return fits;
}

} // namespace

Spread spreadOf(const std::vector<WeightedValue>& values)
{
    Spread spread;
    spread.least = INFINITY;
    for (const WeightedValue& v : values) {
        spread.mean += v.weight * v.value;
        spread.least = std::min(spread.least, v.value);
        spread.largest = std::max(spread.largest, v.value);
    }
    double second = 0;
    double third = 0;
    for (const WeightedValue& v : values) {
        const double d = v.value - spread.mean;
        second += v.weight * d * d;
        third += v.weight * d * d * d;
    }
    spread.deviation = std::sqrt(second);
    spread.skewness = second > 0 ? third / (second * spread.deviation) : 0;
    return spread;
}

double overflowProbability(const std::vector<WeightedValue>& values, std::int64_t sequences, double pool)
{
    const Spread spread = spreadOf(values);
    if (degenerate(spread)) {
        return static_cast<double>(sequences) * spread.mean > pool ? 1 : 0;
    }
    return withTail(values, spread, pool, [&](const auto& tail) { return tail(sequences); });
}

std::int64_t sequencesAtConfidence(const std::vector<WeightedValue>& values, double pool, double confidence)
{
    const Spread spread = spreadOf(values);
    if (!(spread.mean > 0) || !(pool > 0)) {
        return 0;
    }
    const auto whole = [](double sequences) {
        return static_cast<std::int64_t>(std::min(sequences, static_cast<double>(mostSequences)));
    };
    if (degenerate(spread)) {
        return whole(pool / spread.mean * (1 + 1e-12));
    }
    const std::int64_t certain = whole(pool / spread.largest); // cannot overflow
    if (certain == mostSequences) {
        return certain;
    }
    const std::int64_t start = std::max(certain, whole(nearNormalGuess(spread, pool, confidence)));
    return withTail(values, spread, pool, [&](const auto& tail) {
        return largestAllowed(certain, start, [&](std::int64_t b) { return tail(b) <= 1 - confidence + rounding; });
    });
}

} // namespace kvplan
