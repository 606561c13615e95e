// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/sum_tail.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kvplan {

namespace {

/// The cumulant generating function at θ with its first two derivatives.
struct Cumulants {
    double value = 0;
    double slope = 0;
    double curvature = 0;
};

Cumulants cumulantsAt(const std::vector<WeightedValue>& values, const Spread& spread, double theta)
{
    const double origin = theta > 0 ? spread.largest : spread.least; // no term overflows
    double sum = 0;
    double first = 0;
    double second = 0;
    for (const WeightedValue& v : values) {
        const double mass = v.weight * std::exp(theta * (v.value - origin));
        const double distance = v.value - spread.mean;
        sum += mass;
        first += mass * distance;
        second += mass * distance * distance;
    }
    const double slope = first / sum;
    return {std::log(sum) + theta * origin, spread.mean + slope, second / sum - slope * slope};
}

/// θ with K'(θ) = target, for least < target < largest: Newton inside a bracket.
double saddlepoint(const std::vector<WeightedValue>& values, const Spread& spread, double target)
{
    double low = -INFINITY;
    double high = INFINITY;
    double theta = (target - spread.mean) / (spread.deviation * spread.deviation);
    (theta > 0 ? low : high) = 0;
    for (int step = 0; step < 60; ++step) {
        const Cumulants k = cumulantsAt(values, spread, theta);
        (k.slope < target ? low : high) = theta;
        double next = theta + (target - k.slope) / k.curvature;
        if (!(next > low && next < high)) {
            next = std::isinf(low) || std::isinf(high) ? theta * 2 : (low + high) / 2;
        }
        if (std::abs(next - theta) <= 1e-10 * std::abs(theta)) {
            return next;
        }
        theta = next;
    }
    return theta;
}

} // namespace

SaddlepointTail::SaddlepointTail(const std::vector<WeightedValue>& values, const Spread& spread, double pool)
    : m_values(values)
    , m_spread(spread)
    , m_pool(pool)
{
}

double SaddlepointTail::operator()(std::int64_t sequences) const
{
    const auto b = static_cast<double>(sequences);
    const double target = m_pool / b;
    if (target >= m_spread.largest) {
        return 0;
    }
    if (target <= m_spread.least) {
        return 1;
    }
    const double root = std::sqrt(2 * std::numbers::pi);
    const double z = (target - m_spread.mean) / m_spread.deviation * std::sqrt(b);
    if (std::abs(z) < 1e-3) { // the formula is 0/0 at the mean; its limit there, and the slope beside it
        return 0.5 - m_spread.skewness / (6 * root * std::sqrt(b)) - z / root;
    }
    const double theta = saddlepoint(m_values, m_spread, target);
    const Cumulants k = cumulantsAt(m_values, m_spread, theta);
    const double w = std::copysign(std::sqrt(std::max(0.0, 2 * b * (theta * target - k.value))), theta);
    const double u = theta * std::sqrt(b * k.curvature);
    const double normal = 0.5 * std::erfc(w / std::numbers::sqrt2);
    return std::clamp(normal + std::exp(-w * w / 2) / root * (1 / u - 1 / w), 0.0, 1.0);
}

} // namespace kvplan
