// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/lengths.h"

#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kvplan {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rareTail = 1e-7;

/// P(Z > z) of the standard normal.
double normalTail(double z)
{
    return 0.5 * std::erfc(z / std::sqrt(2.0));
}

double normalQuantile(double p)
{
    return std::sqrt(2.0) * boost::math::erf_inv(2 * p - 1);
}

// mean, secondMoment, survival, limitedMean and quantile of each kind. `t` is whole and at least 0.

double mean(const FixedLength& d) { return static_cast<double>(d.tokens); }
double square(const FixedLength& d) { return mean(d) * mean(d); }
double survival(const FixedLength& d, double t) { return mean(d) > t ? 1 : 0; }
double limited(const FixedLength& d, double t) { return std::min(mean(d), t); }
double quantile(const FixedLength& d, double) { return mean(d); }
double longest(const FixedLength& d) { return mean(d); }

double mean(const UniformLength& d) { return (static_cast<double>(d.low) + static_cast<double>(d.high)) / 2; }
double square(const UniformLength& d)
{
    const double n = static_cast<double>(d.high - d.low) + 1;
    return (n * n - 1) / 12 + mean(d) * mean(d);
}
double survival(const UniformLength& d, double t)
{
    const double n = static_cast<double>(d.high - d.low) + 1;
    return std::clamp((static_cast<double>(d.high) - t) / n, 0.0, 1.0);
}
double limited(const UniformLength& d, double t)
{
    const auto low = static_cast<double>(d.low);
    const auto high = static_cast<double>(d.high);
    if (t <= low) {
        return t;
    }
    const double below = std::min(t, high + 1) - low; // lengths low … t − 1 count as themselves
    const double n = high - low + 1;
    return (below * (low + low + below - 1) / 2 + t * std::max(0.0, n - below)) / n;
}
double quantile(const UniformLength& d, double p)
{
    const double n = static_cast<double>(d.high - d.low) + 1;
    return static_cast<double>(d.low) + std::clamp(std::ceil(p * n) - 1, 0.0, n - 1);
}
double longest(const UniformLength& d) { return static_cast<double>(d.high); }

double mean(const ExponentialLength& d) { return d.mean; }
double square(const ExponentialLength& d) { return d.mean * (2 * d.mean - 1); }
double logStay(const ExponentialLength& d) { return std::log1p(-1 / d.mean); }
double survival(const ExponentialLength& d, double t) { return t <= 0 ? 1 : std::exp(t * logStay(d)); }
double limited(const ExponentialLength& d, double t) { return t <= 0 ? 0 : d.mean * -std::expm1(t * logStay(d)); }
double quantile(const ExponentialLength& d, double p)
{
    return d.mean <= 1 ? 1 : std::max(1.0, std::ceil(std::log1p(-p) / logStay(d)));
}
double longest(const ExponentialLength& d) { return quantile(d, 1 - rareTail); }

double mean(const LognormalLength& d) { return std::exp(d.mu + d.sigma * d.sigma / 2); }
double square(const LognormalLength& d) { return std::exp(2 * d.mu + 2 * d.sigma * d.sigma); }
double survival(const LognormalLength& d, double t)
{
    if (t < 1) {
        return 1;
    }
    const double distance = std::log(t + 0.5) - d.mu;
    return d.sigma == 0 ? (distance < 0 ? 1 : 0) : normalTail(distance / d.sigma);
}
double limited(const LognormalLength& d, double t)
{
    if (t <= 0) {
        return 0;
    }
    if (d.sigma == 0) {
        return std::min(mean(d), t);
    }
    const double z = (std::log(t) - d.mu) / d.sigma;
    return mean(d) * normalTail(d.sigma - z) + t * normalTail(z);
}
double quantile(const LognormalLength& d, double p)
{
    return std::max(1.0, std::round(std::exp(d.mu + d.sigma * normalQuantile(p))));
}
double longest(const LognormalLength& d) { return quantile(d, 1 - rareTail); }

double power(const ParetoLength& d, double x) { return std::pow(d.scale / x, d.shape); }
double mean(const ParetoLength& d)
{
    const double uncut = d.scale * d.shape / (d.shape - 1);
    return std::isinf(d.cap) ? uncut : uncut - d.cap * power(d, d.cap) / (d.shape - 1);
}
double square(const ParetoLength& d)
{
    const double scale = d.scale * d.scale;
    if (std::isinf(d.cap)) {
        return d.shape > 2 ? scale * d.shape / (d.shape - 2) : infinity;
    }
    // ∫ 2x P(X > x) dx up to the cap.
    const double beyond = d.shape == 2 ? 2 * scale * std::log(d.cap / d.scale)
                                       : 2 * (scale - d.cap * d.cap * power(d, d.cap)) / (d.shape - 2);
    return scale + beyond;
}
double survival(const ParetoLength& d, double t)
{
    const double x = t + 0.5;
    return t < 1 || x <= d.scale ? 1 : x > d.cap ? 0 : power(d, x);
}
double limited(const ParetoLength& d, double t)
{
    const double x = std::min(t, d.cap);
    return x <= d.scale ? x : d.scale * d.shape / (d.shape - 1) - x * power(d, x) / (d.shape - 1);
}
double quantile(const ParetoLength& d, double p)
{
    return std::max(1.0, std::round(std::min(d.cap, d.scale * std::pow(1 - p, -1 / d.shape))));
}
double longest(const ParetoLength& d) { return std::isinf(d.cap) ? quantile(d, 1 - rareTail) : std::round(d.cap); }

using Empirical = std::shared_ptr<const EmpiricalLength>;
double count(const Empirical& d) { return static_cast<double>(d->sorted.size()); }
double mean(const Empirical& d) { return d->sums.back() / count(d); }
double square(const Empirical& d) { return d->squares; }
double survival(const Empirical& d, double t)
{
    const auto above = std::ranges::upper_bound(d->sorted, t, {}, [](std::int64_t x) { return static_cast<double>(x); });
    return static_cast<double>(d->sorted.end() - above) / count(d);
}
double limited(const Empirical& d, double t)
{
    const auto above = std::ranges::upper_bound(d->sorted, t, {}, [](std::int64_t x) { return static_cast<double>(x); });
    const auto below = static_cast<std::size_t>(above - d->sorted.begin());
    return (d->sums[below] + t * static_cast<double>(d->sorted.size() - below)) / count(d);
}
double quantile(const Empirical& d, double p)
{
    const double rank = std::clamp(std::ceil(p * count(d)) - 1, 0.0, count(d) - 1);
    return static_cast<double>(d->sorted[static_cast<std::size_t>(rank)]);
}
double longest(const Empirical& d) { return static_cast<double>(d->sorted.back()); }

} // namespace

double LengthDistribution::mean() const
{
    return std::visit([](const auto& kind) { return kvplan::mean(kind); }, m_kind);
}

double LengthDistribution::secondMoment() const
{
    return std::visit([](const auto& kind) { return square(kind); }, m_kind);
}

double LengthDistribution::survival(double tokens) const
{
    return std::visit([&](const auto& kind) { return kvplan::survival(kind, tokens); }, m_kind);
}

double LengthDistribution::limitedMean(double tokens) const
{
    return std::visit([&](const auto& kind) { return limited(kind, tokens); }, m_kind);
}

double LengthDistribution::quantile(double p) const
{
    return std::visit([&](const auto& kind) { return kvplan::quantile(kind, p); }, m_kind);
}

double LengthDistribution::longest() const
{
    return std::visit([](const auto& kind) { return kvplan::longest(kind); }, m_kind);
}

} // namespace kvplan
