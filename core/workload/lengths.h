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
    friend bool operator==(const FixedLength&, const FixedLength&) = default;
};
struct UniformLength {
    std::int64_t low = 1;
    std::int64_t high = 1;
    friend bool operator==(const UniformLength&, const UniformLength&) = default;
};
struct ExponentialLength {
    double mean = 1;
    friend bool operator==(const ExponentialLength&, const ExponentialLength&) = default;
};
struct LognormalLength {
    double mu = 0;
    double sigma = 0;
    friend bool operator==(const LognormalLength&, const LognormalLength&) = default;
};
struct ParetoLength {
    double mean = 1;
    double shape = 2;
    double cap = 0; ///< 0: none
    friend bool operator==(const ParetoLength&, const ParetoLength&) = default;
};
/// Lengths read from a file, sorted.
struct EmpiricalLength {
    std::string file;
    std::shared_ptr<const std::vector<std::int64_t>> sorted;
    friend bool operator==(const EmpiricalLength& a, const EmpiricalLength& b) { return a.file == b.file; }
};

/// A distribution of token counts: whole tokens, at least 1. `text` is how the user spelt it (fixed:N, uniform:A,B,
/// exponential:MEAN, lognormal:MEAN,P95, lognormal-median:MEDIAN,P95, pareto:MEAN,SHAPE[,CAP], empirical:FILE).
class LengthDistribution {
public:
    static Result<LengthDistribution> parse(std::string_view text);

    const std::string& text() const { return m_text; }

    /// Mean and second moment of the whole-token lengths.
    double mean() const;
    double secondMoment() const;
    /// P(length > tokens).
    double survival(double tokens) const;
    /// Smallest whole length with P(length ≤ it) ≥ p, 0 < p < 1.
    double quantile(double p) const;

    friend bool operator==(const LengthDistribution& a, const LengthDistribution& b) { return a.m_text == b.m_text; }

private:
    std::string m_text;
    std::variant<FixedLength, UniformLength, ExponentialLength, LognormalLength, ParetoLength, EmpiricalLength> m_kind;
};

} // namespace kvplan
