// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/lengths.h"

#include "core/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace kvplan {

namespace {

constexpr double longestLength = 1e9;
constexpr double z95 = 1.6448536269514722; ///< 95th percentile of the standard normal
constexpr std::int64_t largestFile = std::int64_t{64} << 20;
constexpr std::string_view forms
    = "use fixed:N, uniform:A,B, exponential:MEAN, lognormal:MEAN,P95, lognormal-median:MEDIAN,P95, "
      "pareto:MEAN,SHAPE[,CAP] or empirical:FILE";

tl::unexpected<Error> refused(std::string what, std::string mend)
{
    return failure(ErrorCode::InvalidValue, std::move(what), "length distribution", std::move(mend));
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
Result<std::vector<double>> numbers(
    std::string_view name, std::string_view text, std::size_t least, std::size_t most)
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

Result<std::shared_ptr<const EmpiricalLength>> readEmpirical(std::string_view path)
{
    const auto text = readTextFile(std::string(path), largestFile, "lengths");
    if (!text) {
        return tl::unexpected<Error>(text.error());
    }
    auto lengths = std::make_shared<EmpiricalLength>();
    std::string_view rest = *text;
    for (std::int64_t line = 1; !rest.empty(); ++line) {
        const auto end = rest.find('\n');
        std::string_view one = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (one.ends_with('\r')) {
            one.remove_suffix(1);
        }
        if (one.empty()) {
            continue;
        }
        std::int64_t length = 0;
        const auto [stop, error] = std::from_chars(one.data(), one.data() + one.size(), length);
        if (error != std::errc{} || stop != one.data() + one.size() || length < 1 || length > 1'000'000'000) {
            return failure(ErrorCode::Syntax,
                fmt::format("\"{}\" is not a length from 1 to 10⁹", one.substr(0, 40)),
                fmt::format("{} line {}", path, line), "give one whole number a line");
        }
        lengths->sorted.push_back(length);
    }
    if (lengths->sorted.empty()) {
        return failure(ErrorCode::Syntax, "the file holds no lengths", std::string(path), "give one whole number a line");
    }
    std::ranges::sort(lengths->sorted);
    lengths->sums.reserve(lengths->sorted.size() + 1);
    lengths->sums.push_back(0);
    for (const std::int64_t length : lengths->sorted) {
        const auto value = static_cast<double>(length);
        lengths->sums.push_back(lengths->sums.back() + value);
        lengths->squares += value * value;
    }
    lengths->squares /= static_cast<double>(lengths->sorted.size());
    return lengths;
}

} // namespace

Result<LengthDistribution::Kind> LengthDistribution::parseKind(std::string_view name, std::string_view arguments)
{
    if (name == "empirical") {
        auto lengths = readEmpirical(arguments);
        if (!lengths) {
            return tl::unexpected<Error>(lengths.error());
        }
        return Kind(std::move(*lengths));
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
        return wholeLength(value[0]).map([](std::int64_t tokens) { return Kind(FixedLength{tokens}); });
    }
    if (name == "exponential") {
        if (value[0] < 1) {
            return refused("a mean below 1 token is not possible", "give a mean of at least 1");
        }
        return Kind(ExponentialLength{value[0]});
    }
    if (name == "uniform") {
        const auto low = wholeLength(value[0]);
        const auto high = wholeLength(value[1]);
        if (!low || !high) {
            return tl::unexpected<Error>(low ? high.error() : low.error());
        }
        if (*low > *high) {
            return refused(fmt::format("uniform:{},{} ends before it begins", *low, *high), "give the smaller one first");
        }
        return Kind(UniformLength{*low, *high});
    }
    if (name == "pareto") {
        const double shape = value[1];
        if (!(shape > 1)) {
            return refused(fmt::format("a Pareto of shape {:.6g} has no mean", shape), "give a shape above 1");
        }
        const double scale = value[0] * (shape - 1) / shape;
        const double cap = value.size() > 2 ? value[2] : std::numeric_limits<double>::infinity();
        if (cap <= scale) {
            return refused(fmt::format("the cap {:.6g} lies below the shortest length {:.6g}", cap, scale),
                "raise the cap");
        }
        return Kind(ParetoLength{scale, shape, cap});
    }
    const double ratio = value[1] / value[0];
    if (ratio < 1) {
        return refused(fmt::format("a 95th percentile of {:.6g} lies below the {} of {:.6g}", value[1],
                           name == "lognormal" ? "mean" : "median", value[0]),
            "give the larger one second");
    }
    if (name == "lognormal-median") {
        return Kind(LognormalLength{std::log(value[0]), std::log(ratio) / z95});
    }
    const double square = z95 * z95 - 2 * std::log(ratio);
    if (square < 0) {
        return refused(
            fmt::format("no lognormal has a 95th percentile {:.4g} times its mean", ratio), "stay below 3.868 times");
    }
    const double sigma = z95 - std::sqrt(square);
    return Kind(LognormalLength{std::log(value[0]) - sigma * sigma / 2, sigma});
}

Result<LengthDistribution> LengthDistribution::parse(std::string_view text)
{
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) {
        return refused(fmt::format("\"{}\" is not a length distribution", text.substr(0, 40)), std::string(forms));
    }
    auto kind = parseKind(text.substr(0, colon), text.substr(colon + 1));
    if (!kind) {
        return tl::unexpected<Error>(kind.error());
    }
    LengthDistribution distribution;
    distribution.m_text = std::string(text);
    distribution.m_kind = std::move(*kind);
    return distribution;
}

} // namespace kvplan
