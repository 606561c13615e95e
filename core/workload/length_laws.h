// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace kvplan {

struct TokenCell;

// The laws behind LengthDistribution, which says what their functions mean. `t` is whole and at least 0, or infinite.
// end() is the longest length, infinite where there is none. Private to core/workload.

/// Whole lengths from low to high, equally likely; fixed lengths are those with low = high.
class UniformLaw {
public:
    UniformLaw(std::int64_t low, std::int64_t high);

    double shortest() const { return m_low; }
    double end() const { return m_high; }
    double survival(double t) const;
    double limitedMean(double t) const;
    double limitedSquare(double t) const;
    double quantile(double p) const;
    double meanOfLongest(double draws) const;

private:
    double m_low;
    double m_high;
    double m_count;
};

/// Geometric on 1, 2, …: P(length > t) = (1 − 1/mean)^t.
class GeometricLaw {
public:
    explicit GeometricLaw(double mean);

    double shortest() const { return 1; }
    double end() const;
    double survival(double t) const;
    double limitedMean(double t) const;
    double limitedSquare(double t) const;
    double quantile(double p) const;

private:
    double m_mean;
    double m_logStay; ///< ln(1 − 1/mean)
};

/// A continuous positive variable X: P(X > x), its density, and ∫ P(X > x) dx and ∫ 2x P(X > x) dx from a to b, which
/// may be infinite.
struct Lognormal {
    double mu;
    double sigma; ///< above 0

    double tail(double x) const;
    double density(double x) const;
    double tailArea(double a, double b) const;
    double squareArea(double a, double b) const;
    double quantile(double p) const;
    double begin() const; ///< below it lies nothing that a double could show
};

struct Pareto {
    double scale;
    double shape; ///< above 1

    double tail(double x) const;
    double density(double x) const;
    double tailArea(double a, double b) const; ///< for a ≥ scale, like the next
    double squareArea(double a, double b) const;
    double quantile(double p) const;
    double begin() const { return scale; }
};

/// A continuous variable rounded to the nearest whole token, at least 1 and at most `cap` (infinite: no cap), so that
/// P(length > t) = P(X > t + ½). Sums over t are exact for the first `headSize` tokens at which the tail bends; beyond,
/// they follow from the integral by the Euler–Maclaurin formula at midpoints, to about 10⁻¹².
template <class Variable> class RoundedLaw {
public:
    RoundedLaw(Variable variable, double cap);

    double shortest() const;
    double end() const { return m_cap; }
    double survival(double t) const;
    double limitedMean(double t) const;
    double limitedSquare(double t) const;
    double quantile(double p) const;

private:
    Variable m_variable;
    double m_cap;
    double m_first; ///< every length reaches it
    std::vector<double> m_sums; ///< Σ P(length > j) for j below m_first + i
    std::vector<double> m_squares; ///< Σ (2j + 1) P(length > j) for j below m_first + i
};

extern template class RoundedLaw<Lognormal>;
extern template class RoundedLaw<Pareto>;

/// Lengths that were counted.
class EmpiricalLaw {
public:
    /// At least one length; sorts them.
    explicit EmpiricalLaw(std::vector<std::int64_t> lengths);

    double shortest() const { return m_values.front(); }
    double end() const { return m_values.back(); }
    double survival(double t) const;
    double limitedMean(double t) const;
    double limitedSquare(double t) const;
    double quantile(double p) const;
    double meanOfLongest(double draws) const;

private:
    std::size_t upTo(double t) const; ///< distinct values that are at most t

    double m_count;
    std::vector<double> m_values; ///< distinct, rising
    // Of the lengths below m_values[i]; one entry more than values.
    std::vector<double> m_counts;
    std::vector<double> m_sums;
    std::vector<double> m_squares;
};

/// One of the laws, with what is asked of it often.
class LengthLaw {
public:
    using Kind = std::variant<UniformLaw, GeometricLaw, RoundedLaw<Lognormal>, RoundedLaw<Pareto>, EmpiricalLaw>;

    explicit LengthLaw(Kind kind);

    const Kind& kind() const { return m_kind; }
    double mean() const { return m_mean; }
    double secondMoment() const { return m_secondMoment; }
    double longest() const { return m_longest; }
    double meanOfLongest(double draws) const;

private:
    /// `count` whole tokens t at which P(length > t) is summed as if it were `survival` at all of them.
    struct Node {
        double count;
        double survival;
    };

    template <class Law> void addNodes(const Law& law, const TokenCell& cell);

    Kind m_kind;
    double m_mean = 0;
    double m_secondMoment = 0;
    double m_longest = 0;
    double m_shortest = 0;
    double m_beyond = 0; ///< Σ P(length > t) from the longest length on
    std::vector<Node> m_nodes; ///< from the shortest length to the longest
};

} // namespace kvplan
