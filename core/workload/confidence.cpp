// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/mix.h"

#include "core/workload/sum_tail.h"

#include <algorithm>
#include <cmath>

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

/// Calls `use` with the tail that suits a pool of about pool ÷ mean sequences.
template <class Use> auto withTail(const std::vector<WeightedValue>& values, const Spread& spread, double pool, Use use)
{
    const double typical = pool / spread.mean;
    const bool skewed = std::abs(spread.skewness) > nearlyNormal * std::sqrt(typical);
    const bool lattice = typical < few || (skewed && typical < many) || LatticeTail::exactFor(values, pool);
    return lattice ? use(LatticeTail(values, pool)) : use(SaddlepointTail(values, spread, pool));
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
    std::int64_t fits = whole(pool / spread.largest); // cannot overflow
    if (fits == mostSequences) {
        return fits;
    }
    return withTail(values, spread, pool, [&](const auto& tail) {
        const double allowed = 1 - confidence + rounding;
        std::int64_t fails = std::max(fits, whole(pool / spread.mean)) + 1;
        while (fails < mostSequences && tail(fails) <= allowed) {
            fits = fails;
            fails *= 2;
        }
        while (fails - fits > 1) {
            const std::int64_t middle = fits + (fails - fits) / 2;
            (tail(middle) <= allowed ? fits : fails) = middle;
        }
        return fits;
    });
}

} // namespace kvplan
