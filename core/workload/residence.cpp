// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/mix.h"

#include "core/workload/token_cells.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kvplan {

namespace {

/// Part of a law: its weight, its mean, and its second and third moment about that mean.
struct Part {
    double weight = 0;
    double mean = 0;
    double second = 0;
    double third = 0;
};

/// The prompt itself. In a cell of lengths a … b − 1, E[L^k; a ≤ L < b] is the difference of E[min(L, t)^k] − t^k·P(L ≥
/// t) between its ends.
std::vector<Part> promptParts(const LengthDistribution& prompt)
{
    std::vector<Part> parts;
    for (const TokenCell& cell : tokenCells(prompt.shortest(), prompt.longest() + 1)) {
        const double fromBegin = prompt.survival(cell.begin - 1);
        const double fromEnd = prompt.survival(cell.end - 1);
        const double weight = fromBegin - fromEnd;
        if (!(weight > 0)) {
            continue;
        }
        // Measured from the cell's begin, so that squares of long lengths do not cancel.
        const auto offset = [&](double t) { return t - cell.begin; };
        const double sum = prompt.limitedMean(cell.end) - prompt.limitedMean(cell.begin) - offset(cell.end) * fromEnd;
        const double mean = std::clamp(sum / weight, 0.0, offset(cell.end - 1));
        const double squares = prompt.limitedSquare(cell.end) - prompt.limitedSquare(cell.begin)
            - 2 * cell.begin * (prompt.limitedMean(cell.end) - prompt.limitedMean(cell.begin))
            - offset(cell.end) * offset(cell.end) * fromEnd;
        parts.push_back({weight, cell.begin + mean, std::max(0.0, squares / weight - mean * mean), 0});
    }
    return parts;
}

/// Output tokens already cached: P(J = j) ∝ P(O > j) for j ≥ 1, which lies evenly enough within a cell.
std::vector<Part> cachedOutputParts(const LengthDistribution& output)
{
    std::vector<Part> parts;
    for (const TokenCell& cell : tokenCells(1, output.longest())) {
        const double weight = output.limitedMean(cell.end) - output.limitedMean(cell.begin);
        if (!(weight > 0)) {
            continue;
        }
        // Σ (2j + 1) P(O > j) over the cell, less Σ P(O > j), is twice Σ j P(O > j).
        const double twice = output.limitedSquare(cell.end) - output.limitedSquare(cell.begin) - weight;
        const double mean = std::clamp(twice / (2 * weight), cell.begin, cell.end - 1);
        parts.push_back({weight, mean, (cell.count() * cell.count() - 1) / 12, 0});
    }
    return parts;
}

Part merge(std::vector<Part>::const_iterator begin, std::vector<Part>::const_iterator end)
{
    Part whole;
    for (auto part = begin; part != end; ++part) {
        whole.weight += part->weight;
        whole.mean += part->weight * part->mean;
    }
    whole.mean /= whole.weight;
    for (auto part = begin; part != end; ++part) {
        const double d = part->mean - whole.mean;
        whole.second += part->weight * (d * d + part->second);
        whole.third += part->weight * (d * d * d + 3 * d * part->second + part->third);
    }
    whole.second /= whole.weight;
    whole.third /= whole.weight;
    return whole;
}

/// Gauss's two points: they share the part's weight and its first three moments.
void addPoints(std::vector<WeightedValue>& points, const Part& part)
{
    if (part.second <= 1e-18 * part.mean * part.mean) {
        points.push_back({part.mean, part.weight});
        return;
    }
    const double half = part.third / (2 * part.second);
    const double root = std::sqrt(half * half + part.second);
    const double upper = half + root;
    const double lower = half - root;
    points.push_back({part.mean + lower, part.weight * upper / (2 * root)});
    points.push_back({part.mean + upper, part.weight * -lower / (2 * root)});
}

/// Where the strata end that are merged into two points each, as shares of the whole: finer towards the long end, which
/// decides what fits.
constexpr std::array strataEnds{
    0.02, 0.08, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.9993, 0.9998, 1.0};

/// At most 32 points with the parts' first three moments and the given mean.
std::vector<WeightedValue> pointsOf(const std::vector<Part>& parts, double mean)
{
    if (parts.empty()) {
        return {{mean, 1}};
    }
    double total = 0;
    for (const Part& part : parts) {
        total += part.weight;
    }
    std::vector<WeightedValue> points;
    const bool few = parts.size() <= strataEnds.size();
    double reached = 0;
    auto begin = parts.begin();
    std::size_t stratum = 0;
    for (auto part = parts.begin(); part != parts.end(); ++part) {
        reached += part->weight;
        const bool last = part + 1 == parts.end();
        if (few || last || reached >= strataEnds[stratum] * total) {
            addPoints(points, merge(begin, part + 1));
            begin = part + 1;
            while (stratum + 1 < strataEnds.size() && reached >= strataEnds[stratum] * total) {
                ++stratum;
            }
        }
    }
    double sum = 0;
    for (WeightedValue& point : points) {
        point.weight /= total;
        sum += point.weight * point.value;
    }
    points.back().value += (mean - sum) / points.back().weight; // what lies beyond the longest length
    return points;
}

} // namespace

Result<Residence> Residence::of(const Mix& mix)
{
    const double steps = mix.output.mean() - 1;
    if (!std::isfinite(mix.output.secondMoment())) {
        return failure(ErrorCode::InvalidValue, "these outputs have no mean residence: their second moment is infinite",
            mix.output.text(), "give a cap, or a shape above 2");
    }
    const std::vector<WeightedValue> prompts = pointsOf(promptParts(mix.prompt), mix.prompt.mean());
    std::vector<WeightedValue> cached{{0, 1}}; // outputs of one token are never decoded
    Residence residence;
    residence.m_meanTokens = mix.prompt.mean();
    if (steps > 0) {
        const double cachedMean = (mix.output.secondMoment() - mix.output.mean()) / 2 / steps;
        cached = pointsOf(cachedOutputParts(mix.output), cachedMean);
        residence.m_meanTokens += cachedMean;
    }
    residence.m_points.reserve(prompts.size() * cached.size());
    for (const WeightedValue& prompt : prompts) {
        for (const WeightedValue& output : cached) {
            residence.m_points.push_back({prompt.value + output.value, prompt.weight * output.weight});
        }
    }
    return residence;
}

} // namespace kvplan
