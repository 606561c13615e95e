// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/queueing/static_batch.h"

#include <boost/math/special_functions/digamma.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kvplan {

namespace {

constexpr double exactSteps = 512; ///< lengths summed one by one
constexpr double cellGrowth = 1.01;

/// P(max of `batch` > tokens) = 1 − (1 − P(O > tokens))^batch.
double survivalOfMaximum(const LengthDistribution& output, double tokens, double batch)
{
    const double survival = output.survival(tokens);
    return survival >= 1 ? 1 : -std::expm1(batch * std::log1p(-survival));
}

} // namespace

double harmonic(std::int64_t batch)
{
    return boost::math::digamma(static_cast<double>(batch) + 1) + std::numbers::egamma;
}

double usefulShareExponential(std::int64_t batch)
{
    return 1 / harmonic(batch);
}

double usefulShare(const LengthDistribution& output, std::int64_t batch)
{
    const auto members = static_cast<double>(batch);
    // Beyond the longest length the sum is 0; where there is none, the tail of the maximum is a fraction `batch` · 10⁻⁷.
    const double end = output.longest();
    double sum = 0;
    double j = 0;
    for (; j < std::min(end, exactSteps); ++j) {
        sum += survivalOfMaximum(output, j, members);
    }
    while (j < end) {
        const double next = std::min(end, std::ceil(j * cellGrowth));
        // Whole tokens j … next − 1: Simpson's rule over the cell they fill.
        const double steps = next - j;
        sum += steps / 6
            * (survivalOfMaximum(output, j - 0.5, members) + 4 * survivalOfMaximum(output, j - 0.5 + steps / 2, members)
                + survivalOfMaximum(output, next - 0.5, members));
        j = next;
    }
    return output.mean() / sum;
}

} // namespace kvplan
