// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/length_laws.h"

#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kvplan {

namespace {

constexpr int headSize = 512;
constexpr double farBelow = 9; ///< standard deviations under which P(Z < z) is less than 10⁻¹⁸

/// P(Z > z) of the standard normal.
double normalTail(double z)
{
    return 0.5 * std::erfc(z / std::numbers::sqrt2);
}

/// ∫ e^(rate · u) du from 0 to `length`.
double powerArea(double rate, double length)
{
    return rate == 0 ? length : std::expm1(rate * length) / rate;
}

/// Σ f(j + ½) over whole j from a to b − 1, from its integral and its slopes at the ends.
double midpointSum(double integral, double slopeAtA, double slopeAtB)
{
    return integral - (slopeAtB - slopeAtA) / 24;
}

} // namespace

double Lognormal::tail(double x) const
{
    return normalTail((std::log(x) - mu) / sigma);
}

double Lognormal::density(double x) const
{
    const double z = (std::log(x) - mu) / sigma;
    return std::exp(-z * z / 2) / (x * sigma * std::sqrt(2 * std::numbers::pi));
}

double Lognormal::tailArea(double a, double b) const
{
    const auto beyond = [&](double x) { // E[(X − x)⁺]
        const double z = (std::log(x) - mu) / sigma;
        return std::isinf(x) ? 0 : std::exp(mu + sigma * sigma / 2) * normalTail(z - sigma) - x * normalTail(z);
    };
    return beyond(a) - beyond(b);
}

double Lognormal::squareArea(double a, double b) const
{
    const auto beyond = [&](double x) { // E[(X² − x²)⁺]
        const double z = (std::log(x) - mu) / sigma;
        return std::isinf(x) ? 0
                             : std::exp(2 * (mu + sigma * sigma)) * normalTail(z - 2 * sigma) - x * x * normalTail(z);
    };
    return beyond(a) - beyond(b);
}

double Lognormal::quantile(double p) const
{
    return std::exp(mu - sigma * std::numbers::sqrt2 * boost::math::erfc_inv(2 * p));
}

double Lognormal::begin() const
{
    return std::exp(mu - farBelow * sigma);
}

double Pareto::tail(double x) const
{
    return x <= scale ? 1 : std::pow(scale / x, shape);
}

double Pareto::density(double x) const
{
    return shape / x * tail(x);
}

double Pareto::tailArea(double a, double b) const
{
    return a * tail(a) * powerArea(1 - shape, std::log(b / a));
}

double Pareto::squareArea(double a, double b) const
{
    return 2 * a * a * tail(a) * powerArea(2 - shape, std::log(b / a));
}

double Pareto::quantile(double p) const
{
    return scale * std::pow(1 - p, -1 / shape);
}

template <class Variable>
RoundedLaw<Variable>::RoundedLaw(Variable variable, double cap)
    : m_variable(variable)
    , m_cap(cap)
    , m_first(std::min(std::max(1.0, std::floor(variable.begin())), cap))
    , m_sums{m_first}
    , m_squares{m_first * m_first}
{
    m_sums.reserve(headSize + 1);
    m_squares.reserve(headSize + 1);
    for (int i = 0; i < headSize; ++i) {
        const double j = m_first + i;
        const double left = survival(j);
        m_sums.push_back(m_sums.back() + left);
        m_squares.push_back(m_squares.back() + (2 * j + 1) * left);
    }
}

template <class Variable> double RoundedLaw<Variable>::shortest() const
{
    return std::min(m_cap, std::max(1.0, std::ceil(m_variable.begin() - 0.5)));
}

template <class Variable> double RoundedLaw<Variable>::survival(double t) const
{
    return t < 1 ? 1 : t >= m_cap ? 0 : m_variable.tail(t + 0.5);
}

template <class Variable> double RoundedLaw<Variable>::limitedMean(double t) const
{
    const double b = std::min(t, m_cap);
    if (b <= m_first) {
        return b;
    }
    const double a = m_first + headSize;
    if (b <= a) {
        return m_sums[static_cast<std::size_t>(b - m_first)];
    }
    const auto slope = [&](double x) { return std::isinf(x) ? 0 : -m_variable.density(x); };
    return m_sums.back() + midpointSum(m_variable.tailArea(a, b), slope(a), slope(b));
}

template <class Variable> double RoundedLaw<Variable>::limitedSquare(double t) const
{
    const double b = std::min(t, m_cap);
    if (b <= m_first) {
        return b * b;
    }
    const double a = m_first + headSize;
    if (b <= a) {
        return m_squares[static_cast<std::size_t>(b - m_first)];
    }
    const auto slope
        = [&](double x) { return std::isinf(x) ? 0 : 2 * (m_variable.tail(x) - x * m_variable.density(x)); };
    return m_squares.back() + midpointSum(m_variable.squareArea(a, b), slope(a), slope(b));
}

template <class Variable> double RoundedLaw<Variable>::quantile(double p) const
{
    return std::clamp(std::ceil(m_variable.quantile(p) - 0.5), 1.0, m_cap);
}

template class RoundedLaw<Lognormal>;
template class RoundedLaw<Pareto>;

} // namespace kvplan
