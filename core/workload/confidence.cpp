// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/mix.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kvplan {

namespace {

struct Moments {
    double mean = 0;
    double variance = 0;
    double largest = 0;
};

Moments momentsOf(const std::vector<WeightedValue>& values)
{
    Moments moments;
    for (const WeightedValue& v : values) {
        moments.mean += v.weight * v.value;
        moments.largest = std::max(moments.largest, v.value);
    }
    for (const WeightedValue& v : values) {
        moments.variance += v.weight * (v.value - moments.mean) * (v.value - moments.mean);
    }
    return moments;
}

/// The cumulant generating function at θ with its first two derivatives.
struct Cumulants {
    double value = 0;
    double slope = 0;
    double curvature = 0;
};

Cumulants cumulantsAt(const std::vector<WeightedValue>& values, double theta, double largest)
{
    double sum = 0;
    double first = 0;
    double second = 0;
    for (const WeightedValue& v : values) {
        const double mass = v.weight * std::exp(theta * (v.value - largest)); // θ > 0, so no term overflows
        sum += mass;
        first += mass * v.value;
        second += mass * v.value * v.value;
    }
    const double slope = first / sum;
    return {std::log(sum) + theta * largest, slope, second / sum - slope * slope};
}

/// θ > 0 with K'(θ) = target, for mean < target < largest: Newton inside a bracket.
double saddlepoint(const std::vector<WeightedValue>& values, const Moments& moments, double target)
{
    double low = 0;
    double high = INFINITY;
    double theta = (target - moments.mean) / moments.variance;
    for (int step = 0; step < 60; ++step) {
        const Cumulants k = cumulantsAt(values, theta, moments.largest);
        (k.slope < target ? low : high) = theta;
        double next = theta + (target - k.slope) / k.curvature;
        if (!(next > low && next < high)) {
            next = std::isinf(high) ? theta * 2 : (low + high) / 2;
        }
        if (std::abs(next - theta) <= 1e-10 * theta) {
            return next;
        }
        theta = next;
    }
    return theta;
}

double normalTail(double z)
{
    return 0.5 * std::erfc(z / std::numbers::sqrt2);
}

double saddlepointTail(const std::vector<WeightedValue>& values, const Moments& moments, double sequences, double pool)
{
    const double target = pool / sequences;
    if (target >= moments.largest) {
        return 0;
    }
    if (target <= moments.mean) {
        return 0.5; // confidences are at least a half: past the mean no finer figure is asked for
    }
    const double theta = saddlepoint(values, moments, target);
    const Cumulants k = cumulantsAt(values, theta, moments.largest);
    const double w = std::sqrt(std::max(0.0, 2 * sequences * (theta * target - k.value)));
    const double u = theta * std::sqrt(sequences * k.curvature);
    if (w < 1e-3) {
        return normalTail(w);
    }
    const double density = std::exp(-w * w / 2) / std::sqrt(2 * std::numbers::pi);
    return std::clamp(normalTail(w) + density * (1 / u - 1 / w), 0.0, 1.0);
}

double exactTailOfOne(const std::vector<WeightedValue>& values, double pool)
{
    double probability = 0;
    for (const WeightedValue& v : values) {
        probability += v.value > pool ? v.weight : 0;
    }
    return probability;
}

double exactTailOfTwo(const std::vector<WeightedValue>& values, double pool)
{
    double probability = 0;
    for (const WeightedValue& v : values) {
        probability += v.weight * exactTailOfOne(values, pool - v.value);
    }
    return probability;
}

double tail(const std::vector<WeightedValue>& values, const Moments& moments, std::int64_t sequences, double pool)
{
    if (sequences <= 0) {
        return 0;
    }
    if (sequences == 1) {
        return exactTailOfOne(values, pool);
    }
    if (sequences == 2) {
        return exactTailOfTwo(values, pool);
    }
    return saddlepointTail(values, moments, static_cast<double>(sequences), pool);
}

bool degenerate(const Moments& moments)
{
    return moments.variance <= 1e-18 * moments.mean * moments.mean;
}

} // namespace

double overflowProbability(const std::vector<WeightedValue>& values, std::int64_t sequences, double pool)
{
    const Moments moments = momentsOf(values);
    if (degenerate(moments)) {
        return static_cast<double>(sequences) * moments.mean > pool ? 1 : 0;
    }
    return tail(values, moments, sequences, pool);
}

std::int64_t sequencesAtConfidence(const std::vector<WeightedValue>& values, double pool, double confidence)
{
    const Moments moments = momentsOf(values);
    if (!(moments.mean > 0) || !(pool > 0)) {
        return 0;
    }
    if (degenerate(moments)) {
        return static_cast<std::int64_t>(pool / moments.mean * (1 + 1e-12));
    }
    const double allowed = 1 - confidence;
    auto fits = static_cast<std::int64_t>(pool / moments.largest); // cannot overflow
    auto fails = static_cast<std::int64_t>(pool / moments.mean) + 2;
    while (fails - fits > 1) {
        const std::int64_t middle = fits + (fails - fits) / 2;
        (tail(values, moments, middle, pool) <= allowed ? fits : fails) = middle;
    }
    return fits;
}

} // namespace kvplan
