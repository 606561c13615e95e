// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kvplan {

struct FixedLength {
    std::int64_t tokens = 1;
};
/// Whole lengths from low to high, equally likely.
struct UniformLength {
    std::int64_t low = 1;
    std::int64_t high = 1;
};
/// Geometric on 1, 2, …: the exponential's whole-token twin, memoryless, with exactly this mean.
struct ExponentialLength {
    double mean = 1;
};
/// The lognormal variable rounded to the nearest whole token, at least 1.
struct LognormalLength {
    double mu = 0;
    double sigma = 0;
};
/// The Pareto variable of this scale and shape, cut at cap, rounded to the nearest whole token, at least 1.
struct ParetoLength {
    double scale = 1;
    double shape = 2;
    double cap = 0; ///< infinite: none
};
/// Lengths read from a file.
struct EmpiricalLength {
    std::vector<std::int64_t> sorted;
    std::vector<double> sums; ///< sums[i]: of the first i sorted lengths
    double squares = 0; ///< mean of their squares
};

/// A distribution of token counts: whole tokens, at least 1.
class LengthDistribution {
public:
    /// fixed:N, uniform:A,B, exponential:MEAN, lognormal:MEAN,P95 (the solution with the smaller σ; P95/MEAN beyond
    /// exp(1.645²/2) = 3.868 has none), lognormal-median:MEDIAN,P95, pareto:MEAN,SHAPE[,CAP] (SHAPE > 1, MEAN before the
    /// cap), empirical:FILE (one whole number a line, at most 64 MiB).
    static Result<LengthDistribution> parse(std::string_view text);

    /// As it was spelt.
    const std::string& text() const { return m_text; }

    /// Mean and second moment. Those of rounded continuous lengths are the variable's own, which rounding moves by less
    /// than it does any one length; infinite where they diverge.
    double mean() const;
    double secondMoment() const;
    /// P(length > tokens) for whole tokens ≥ 0.
    double survival(double tokens) const;
    /// E[min(length, tokens)] = Σ P(length > j) over whole j below `tokens`.
    double limitedMean(double tokens) const;
    /// Smallest whole length with P(length ≤ it) ≥ p, for 0 < p < 1. With a uniform p it draws a length.
    double quantile(double p) const;
    /// The longest length, or the one that all but 10⁻⁷ stay below where there is none.
    double longest() const;

    friend bool operator==(const LengthDistribution& a, const LengthDistribution& b) { return a.m_text == b.m_text; }

private:
    using Kind = std::variant<FixedLength, UniformLength, ExponentialLength, LognormalLength, ParetoLength,
        std::shared_ptr<const EmpiricalLength>>;

    static Result<Kind> parseKind(std::string_view name, std::string_view arguments);

    std::string m_text;
    Kind m_kind;
};

} // namespace kvplan
