// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kvplan {

class LengthLaw;

/// A distribution of token counts: whole tokens, at least 1. An exponential length is geometric with exactly the asked
/// mean, its memoryless twin on whole tokens. Lognormal and Pareto lengths are the variable rounded to the nearest
/// whole token, so that mean and percentiles come out as asked but for less than a token. Every figure below is that of
/// the whole-token law itself. A value: copies share their data.
class LengthDistribution {
public:
    /// fixed:N, uniform:A,B, exponential:MEAN, lognormal:MEAN,P95 (the solution with the smaller σ; P95/MEAN beyond
    /// exp(1.645²/2) = 3.868 has none), lognormal-median:MEDIAN,P95, pareto:MEAN,SHAPE[,CAP] (SHAPE > 1, MEAN before
    /// the cap), empirical:FILE (one whole number a line, at most 16 MiB). Numbers are at most 10⁹.
    static Result<LengthDistribution> parse(std::string_view text);

    /// As it was spelt.
    const std::string& text() const { return m_text; }

    double mean() const;
    /// E[length²]; infinite for an uncut Pareto of shape 2 or less.
    double secondMoment() const;
    /// P(length > tokens) for whole tokens ≥ 0.
    double survival(double tokens) const;
    /// E[min(length, tokens)] = Σ P(length > j) over whole j below whole `tokens`.
    double limitedMean(double tokens) const;
    /// E[min(length, tokens)²] = Σ (2j + 1) P(length > j) over whole j below whole `tokens`.
    double limitedSquare(double tokens) const;
    /// E[longest of `draws` independent lengths] = Σ 1 − P(length ≤ j)^draws over j ≥ 0.
    double meanOfLongest(std::int64_t draws) const;
    /// Smallest whole length with P(length ≤ it) ≥ p, for 0 < p < 1. With a uniform p it draws a length.
    double quantile(double p) const;
    /// The shortest length.
    double shortest() const;
    /// The longest length, or the one that all but 10⁻⁷ stay below where there is none.
    double longest() const;

    friend bool operator==(const LengthDistribution& a, const LengthDistribution& b) { return a.m_text == b.m_text; }

private:
    LengthDistribution(std::string text, std::shared_ptr<const LengthLaw> law);

    std::string m_text;
    std::shared_ptr<const LengthLaw> m_law;
};

} // namespace kvplan
