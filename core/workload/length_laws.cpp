// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/length_laws.h"

#include "core/workload/token_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kvplan {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rareTail = 1e-7;

/// Which of `count` equally likely values in order is the p-quantile, from 1. A product that should be whole may come
/// out a rounding error above it.
double rank(double p, double count)
{
    constexpr double slack = 1 - 4 * std::numeric_limits<double>::epsilon();
    return std::clamp(std::ceil(p * count * slack), 1.0, count);
}

double sumOfSquaresBelow(double n)
{
    return (n - 1) * n * (2 * n - 1) / 6;
}

} // namespace

UniformLaw::UniformLaw(std::int64_t low, std::int64_t high)
    : m_low(static_cast<double>(low))
    , m_high(static_cast<double>(high))
    , m_count(m_high - m_low + 1)
{
}

double UniformLaw::survival(double t) const
{
    return std::clamp((m_high - t) / m_count, 0.0, 1.0);
}

double UniformLaw::limitedMean(double t) const
{
    if (t <= m_low) {
        return t;
    }
    const double below = std::min(t, m_high + 1) - m_low; // lengths low … t − 1 count as themselves
    return (below * (2 * m_low + below - 1) / 2 + (m_count - below > 0 ? t * (m_count - below) : 0)) / m_count;
}

double UniformLaw::limitedSquare(double t) const
{
    if (t <= m_low) {
        return t * t;
    }
    const double stop = std::min(t, m_high + 1);
    const double rest = m_high + 1 - stop;
    return (sumOfSquaresBelow(stop) - sumOfSquaresBelow(m_low) + (rest > 0 ? t * t * rest : 0)) / m_count;
}

double UniformLaw::quantile(double p) const
{
    return m_low + rank(p, m_count) - 1;
}

/// The longest length less Σ (k/n)^draws over k from 1 to n − 1: term by term where it bends within a few of them, else
/// by the Euler–Maclaurin formula.
double UniformLaw::meanOfLongest(double draws) const
{
    const double n = m_count;
    if (n > 1024 && n > 16 * draws) {
        const double ends = draws / (12 * n) - draws * (draws - 1) * (draws - 2) / (720 * n * n * n);
        return m_high - (n / (draws + 1) - 0.5 + ends);
    }
    double sum = m_high;
    for (double k = n - 1; k > 0; --k) {
        const double noneAbove = std::pow(k / n, draws);
        sum -= noneAbove;
        if (noneAbove < 1e-17) {
            break;
        }
    }
    return sum;
}

GeometricLaw::GeometricLaw(double mean)
    : m_mean(mean)
    , m_logStay(std::log1p(-1 / mean))
{
}

double GeometricLaw::end() const
{
    return m_mean > 1 ? infinity : 1;
}

double GeometricLaw::survival(double t) const
{
    return t <= 0 ? 1 : std::exp(t * m_logStay);
}

double GeometricLaw::limitedMean(double t) const
{
    return t <= 0 ? 0 : m_mean * -std::expm1(t * m_logStay);
}

/// With q = 1 − 1/mean: Σ (2j + 1) q^j over j < t is (2·mean − 1)·mean·(1 − q^t) − 2·t·mean·q^t.
double GeometricLaw::limitedSquare(double t) const
{
    if (t <= 0) {
        return 0;
    }
    const double left = survival(t);
    return (2 * m_mean - 1) * limitedMean(t) - (left > 0 ? 2 * t * m_mean * left : 0);
}

double GeometricLaw::quantile(double p) const
{
    return m_mean > 1 ? std::max(1.0, std::ceil(std::log1p(-p) / m_logStay)) : 1;
}

EmpiricalLaw::EmpiricalLaw(std::vector<std::int64_t> lengths)
    : m_count(static_cast<double>(lengths.size()))
    , m_counts{0}
    , m_sums{0}
    , m_squares{0}
{
    std::ranges::sort(lengths);
    for (auto at = lengths.begin(); at != lengths.end();) {
        const auto next = std::upper_bound(at, lengths.end(), *at);
        const auto value = static_cast<double>(*at);
        const auto count = static_cast<double>(next - at);
        m_values.push_back(value);
        m_counts.push_back(m_counts.back() + count);
        m_sums.push_back(m_sums.back() + count * value);
        m_squares.push_back(m_squares.back() + count * value * value);
        at = next;
    }
}

std::size_t EmpiricalLaw::upTo(double t) const
{
    return static_cast<std::size_t>(std::ranges::upper_bound(m_values, t) - m_values.begin());
}

double EmpiricalLaw::survival(double t) const
{
    return (m_count - m_counts[upTo(t)]) / m_count;
}

double EmpiricalLaw::limitedMean(double t) const
{
    const std::size_t below = upTo(t);
    const double above = m_count - m_counts[below];
    return (m_sums[below] + (above > 0 ? t * above : 0)) / m_count;
}

double EmpiricalLaw::limitedSquare(double t) const
{
    const std::size_t below = upTo(t);
    const double above = m_count - m_counts[below];
    return (m_squares[below] + (above > 0 ? t * t * above : 0)) / m_count;
}

double EmpiricalLaw::quantile(double p) const
{
    const auto reached = std::ranges::lower_bound(m_counts, rank(p, m_count));
    return m_values[static_cast<std::size_t>(reached - m_counts.begin()) - 1];
}

/// The longest value less what P(max ≤ j) takes away on each run between neighbours, from the top until it is nothing.
double EmpiricalLaw::meanOfLongest(double draws) const
{
    double sum = m_values.back();
    for (std::size_t i = m_values.size() - 1; i > 0; --i) {
        const double noneAbove = std::pow(m_counts[i] / m_count, draws);
        sum -= noneAbove * (m_values[i] - m_values[i - 1]);
        if (noneAbove < 1e-15) {
            break;
        }
    }
    return sum;
}

LengthLaw::LengthLaw(Kind kind)
    : m_kind(std::move(kind))
{
    std::visit(
        [&](const auto& law) {
            m_mean = law.limitedMean(infinity);
            m_secondMoment = law.limitedSquare(infinity);
            m_longest = std::isinf(law.end()) ? law.quantile(1 - rareTail) : law.end();
            m_shortest = law.shortest();
            m_beyond = std::max(0.0, m_mean - law.limitedMean(m_longest));
            if constexpr (!requires { law.meanOfLongest(1.0); }) {
                for (const TokenCell& cell : tokenCells(m_shortest, m_longest)) {
                    addNodes(law, cell);
                }
            }
        },
        m_kind);
}

/// Three points that stand for the cell's tokens: any polynomial to the fifth degree sums as over all of them.
template <class Law> void LengthLaw::addNodes(const Law& law, const TokenCell& cell)
{
    const double n = cell.count();
    if (n == 1) {
        m_nodes.push_back({1, law.survival(cell.begin)});
        return;
    }
    const double variance = (n * n - 1) / 12;
    const double reach = (3 * n * n - 7) / 20; // fourth moment / variance, of n tokens about their middle
    const double outer = n * variance / (2 * reach);
    m_nodes.push_back({outer, law.survival(cell.middle() - std::sqrt(reach))});
    m_nodes.push_back({n - 2 * outer, law.survival(cell.middle())});
    m_nodes.push_back({outer, law.survival(cell.middle() + std::sqrt(reach))});
}

/// Below the shortest length every token counts; beyond the longest the chance that any draw goes on is the sum of
/// theirs.
double LengthLaw::meanOfLongest(double draws) const
{
    if (m_nodes.empty()) { // the law knows it, or has one length
        return std::visit(
            [&](const auto& law) {
                if constexpr (requires { law.meanOfLongest(draws); }) {
                    return law.meanOfLongest(draws);
                } else {
                    return m_shortest;
                }
            },
            m_kind);
    }
    double sum = m_shortest + draws * m_beyond;
    for (const Node& node : m_nodes) {
        sum += node.count * (node.survival < 1 ? -std::expm1(draws * std::log1p(-node.survival)) : 1);
    }
    return sum;
}

} // namespace kvplan
