// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/lengths.h"

#include "core/text_file.h"
#include "core/workload/length_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace kvplan {

namespace {

constexpr double longestLength = 1e9;
constexpr double z95 = 1.6448536269514722; ///< 95th percentile of the standard normal
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::string_view forms
    = "use fixed:N, uniform:A,B, exponential:MEAN, lognormal:MEAN,P95, lognormal-median:MEDIAN,P95, "
      "pareto:MEAN,SHAPE[,CAP] or empirical:FILE";

tl::unexpected<Error> refused(std::string what, std::string mend)
{
    return failure(ErrorCode::InvalidValue, std::move(what), "", std::move(mend));
}

std::vector<std::string_view> split(std::string_view text)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const auto comma = text.find(',');
        parts.push_back(text.substr(0, comma));
        if (comma == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(comma + 1);
    }
}

/// The numbers of "A,B": from `least` to `most` of them, finite and positive, at most a billion.
Result<std::vector<double>> numbers(std::string_view name, std::string_view text, std::size_t least, std::size_t most)
{
    std::vector<double> values;
    for (const std::string_view part : split(text)) {
        double value = 0;
        const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (error != std::errc{} || stop != part.data() + part.size() || !std::isfinite(value)) {
            return refused(fmt::format("\"{}\" is not a number", part.substr(0, 40)), std::string(forms));
        }
        if (value <= 0 || value > longestLength) {
            return refused(fmt::format("{:.10g} is not between 0 and 10⁹", value), "give a length in tokens");
        }
        values.push_back(value);
    }
    if (values.size() < least || values.size() > most) {
        return refused(fmt::format("{} takes {} and has {}", name,
                           least == most ? fmt::format("{} number{}", least, least == 1 ? "" : "s")
                                         : fmt::format("{} or {} numbers", least, most),
                           values.size()),
            std::string(forms));
    }
    return values;
}

Result<std::int64_t> wholeLength(double value)
{
    if (value != std::floor(value) || value < 1) {
        return refused(fmt::format("{:.10g} is not a whole number of tokens", value), "give at least 1");
    }
    return static_cast<std::int64_t>(value);
}

Result<double> possibleMean(double value, std::string_view what)
{
    if (value < 1) {
        return refused(
            fmt::format("a {} of {:.6g} is not possible where every length is at least 1 token", what, value),
            "give at least 1");
    }
    return value;
}

Result<LengthLaw::Kind> uniform(double first, double second)
{
    const auto low = wholeLength(first);
    const auto high = wholeLength(second);
    if (!low || !high) {
        return tl::unexpected<Error>(low ? high.error() : low.error());
    }
    if (*low > *high) {
        return refused(fmt::format("uniform:{},{} ends before it begins", *low, *high), "give the smaller one first");
    }
    return UniformLaw(*low, *high);
}

Result<LengthLaw::Kind> exponential(double mean)
{
    return possibleMean(mean, "mean").map([](double m) -> LengthLaw::Kind { return GeometricLaw(m); });
}

/// A lognormal without spread is one length.
Result<LengthLaw::Kind> lognormalOf(double mu, double sigma)
{
    if (mu + sigma * sigma / 2 > std::log(longestLength)) {
        return refused(
            "these figures make a mean of more than 10⁹ tokens", "give a 95th percentile nearer to the median");
    }
    if (sigma == 0) {
        const auto length = static_cast<std::int64_t>(std::llround(std::exp(mu)));
        return UniformLaw(length, length);
    }
    return RoundedLaw<Lognormal>({mu, sigma}, infinity);
}

Result<LengthLaw::Kind> lognormal(std::string_view centreName, double centre, double p95)
{
    if (auto possible = possibleMean(centre, centreName); !possible) {
        return tl::unexpected<Error>(possible.error());
    }
    if (p95 < centre) {
        return refused(fmt::format("a 95th percentile of {:.6g} lies below the {} of {:.6g}", p95, centreName, centre),
            "give the larger one second");
    }
    const double logRatio = std::log(p95 / centre);
    if (centreName == "median") {
        return lognormalOf(std::log(centre), logRatio / z95);
    }
    // P95 / mean = exp(z·σ − σ²/2).
    const double square = z95 * z95 - 2 * logRatio;
    if (square < 0) {
        return refused(fmt::format("no lognormal has a 95th percentile {:.4g} times its mean", p95 / centre),
            "stay below 3.868 times");
    }
    const double sigma = 2 * logRatio / (z95 + std::sqrt(square));
    return lognormalOf(std::log(centre) - sigma * sigma / 2, sigma);
}

Result<LengthLaw::Kind> pareto(double mean, double shape, double cap)
{
    if (auto possible = possibleMean(mean, "mean"); !possible) {
        return tl::unexpected<Error>(possible.error());
    }
    if (!(shape > 1)) {
        return refused(fmt::format("a Pareto of shape {:.6g} has no mean", shape), "give a shape above 1");
    }
    const double scale = mean * (shape - 1) / shape;
    if (std::floor(cap) <= scale) {
        return refused(
            fmt::format("the cap {:.6g} lies below the shortest length {:.6g}", cap, scale), "raise the cap");
    }
    return RoundedLaw<Pareto>({scale, shape}, std::floor(cap));
}

std::string_view takeLine(std::string_view& text)
{
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return line;
}

Result<LengthLaw::Kind> empirical(std::string_view path)
{
    const auto text = readTextFile(std::string(path), maximumTextFile, "lengths");
    if (!text) {
        return tl::unexpected<Error>(text.error());
    }
    std::vector<std::int64_t> lengths;
    std::string_view rest = *text;
    for (std::int64_t number = 1; !rest.empty(); ++number) {
        const std::string_view line = takeLine(rest);
        if (line.empty()) {
            continue;
        }
        std::int64_t length = 0;
        const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), length);
        if (error != std::errc{} || stop != line.data() + line.size() || length < 1
            || static_cast<double>(length) > longestLength) {
            return failure(ErrorCode::Syntax, fmt::format("\"{}\" is not a length from 1 to 10⁹", line.substr(0, 40)),
                fmt::format("{} line {}", path, number), "give one whole number a line");
        }
        lengths.push_back(length);
    }
    if (lengths.empty()) {
        return failure(
            ErrorCode::Syntax, "the file holds no lengths", std::string(path), "give one whole number a line");
    }
    return EmpiricalLaw(std::move(lengths));
}

Result<LengthLaw::Kind> lawOf(std::string_view name, std::string_view arguments)
{
    if (name == "empirical") {
        return empirical(arguments);
    }
    const bool one = name == "fixed" || name == "exponential";
    const bool two = name == "uniform" || name == "lognormal" || name == "lognormal-median";
    if (!one && !two && name != "pareto") {
        return refused(fmt::format("there is no distribution \"{}\"", name.substr(0, 40)), std::string(forms));
    }
    const auto parsed = numbers(name, arguments, one ? 1 : 2, one ? 1 : two ? 2 : 3);
    if (!parsed) {
        return tl::unexpected<Error>(parsed.error());
    }
    const std::vector<double>& value = *parsed;
    if (name == "fixed") {
        return uniform(value[0], value[0]);
    }
    if (name == "uniform") {
        return uniform(value[0], value[1]);
    }
    if (name == "exponential") {
        return exponential(value[0]);
    }
    if (name == "pareto") {
        return pareto(value[0], value[1], value.size() > 2 ? value[2] : infinity);
    }
    return lognormal(name == "lognormal" ? "mean" : "median", value[0], value[1]);
}

} // namespace

Result<LengthDistribution> LengthDistribution::parse(std::string_view text)
{
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) {
        return refused(fmt::format("\"{}\" is not a length distribution", text.substr(0, 40)), std::string(forms));
    }
    auto law = lawOf(text.substr(0, colon), text.substr(colon + 1));
    if (!law) {
        return tl::unexpected<Error>(law.error());
    }
    return LengthDistribution(std::string(text), std::make_shared<const LengthLaw>(std::move(*law)));
}

} // namespace kvplan
