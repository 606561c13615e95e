// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/mix.h"

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

constexpr double exactCells = 32; ///< lengths up to here have a cell of their own
constexpr double cellGrowth = 1.06; ///< ratio of later cells' ends
constexpr std::size_t factorPoints = 40;
constexpr std::size_t jointPoints = 256;

/// Ends of cells [a, b) over whole lengths from 1 to beyond `longest`, narrow where lengths are short.
std::vector<double> cellEnds(double longest)
{
    std::vector<double> ends;
    for (double end = 1; end <= longest; end = end < exactCells ? end + 1 : std::ceil(end * cellGrowth)) {
        ends.push_back(end);
    }
    ends.push_back(std::floor(longest) + 1);
    return ends;
}

/// The length itself: in each cell its exact probability and conditional mean, since
/// E[L; a ≤ L < b] = (E min(L, b) − b P(L ≥ b)) − (E min(L, a) − a P(L ≥ a)).
std::vector<WeightedValue> lengthCells(const LengthDistribution& lengths)
{
    const std::vector<double> ends = cellEnds(lengths.longest());
    std::vector<WeightedValue> cells;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        const double a = ends[i];
        const double b = ends[i + 1];
        const double fromA = lengths.survival(a - 1);
        const double fromB = lengths.survival(b - 1);
        const double weight = fromA - fromB;
        if (weight > 0) {
            const double sum
                = (lengths.limitedMean(b) - b * fromB) - (lengths.limitedMean(a) - a * fromA);
            cells.push_back({std::clamp(sum / weight, a, b - 1), weight});
        }
    }
    return cells;
}

/// J with P(J = j) = P(O > j) / E[O − 1]: a cell's weight is E min(O, b) − E min(O, a), exactly.
std::vector<WeightedValue> cachedOutputCells(const LengthDistribution& output)
{
    const std::vector<double> ends = cellEnds(output.longest());
    std::vector<WeightedValue> cells;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        const double weight = output.limitedMean(ends[i + 1]) - output.limitedMean(ends[i]);
        if (weight > 0) {
            cells.push_back({(ends[i] + ends[i + 1] - 1) / 2, weight});
        }
    }
    return cells;
}

/// Merges neighbours into about `count` points that keep total weight and mean; the upper tail keeps more of them.
std::vector<WeightedValue> merged(const std::vector<WeightedValue>& cells, std::size_t count)
{
    double total = 0;
    for (const WeightedValue& cell : cells) {
        total += cell.weight;
    }
    std::vector<WeightedValue> points;
    WeightedValue open;
    double left = total; // weight not yet in a closed point
    const double bulk = total / static_cast<double>(count);
    for (const WeightedValue& cell : cells) {
        open.value += cell.value * cell.weight;
        open.weight += cell.weight;
        if (open.weight >= std::min(bulk, 0.2 * left)) {
            left -= open.weight;
            points.push_back({open.value / open.weight, open.weight / total});
            open = {};
        }
    }
    if (open.weight > 0) {
        points.push_back({open.value / open.weight, open.weight / total});
    }
    return points;
}

/// Stretches the values so that their mean is exactly `mean`.
void centre(std::vector<WeightedValue>& points, double mean)
{
    double sum = 0;
    for (const WeightedValue& point : points) {
        sum += point.value * point.weight;
    }
    for (WeightedValue& point : points) {
        point.value *= mean / sum;
    }
}

} // namespace

Result<Residence> Residence::of(const Mix& mix)
{
    const double outputMean = mix.output.mean();
    const double square = mix.output.secondMoment();
    if (!std::isfinite(square)) {
        return failure(ErrorCode::InvalidValue,
            "these outputs have no mean residence: their second moment is infinite", mix.output.text(),
            "give a cap, or a shape above 2");
    }
    std::vector<WeightedValue> prompts = merged(lengthCells(mix.prompt), factorPoints);
    centre(prompts, mix.prompt.mean());

    Residence residence;
    residence.m_meanTokens = mix.prompt.mean();
    std::vector<WeightedValue> cached = merged(cachedOutputCells(mix.output), factorPoints);
    if (cached.empty()) {
        cached.push_back({0, 1}); // outputs of one token are never decoded
    } else {
        const double cachedMean = (square - outputMean) / 2 / (outputMean - 1);
        centre(cached, cachedMean);
        residence.m_meanTokens += cachedMean;
    }

    std::vector<WeightedValue> joint;
    joint.reserve(prompts.size() * cached.size());
    for (const WeightedValue& prompt : prompts) {
        for (const WeightedValue& output : cached) {
            joint.push_back({prompt.value + output.value, prompt.weight * output.weight});
        }
    }
    std::ranges::sort(joint, {}, &WeightedValue::value);
    residence.m_points = merged(joint, jointPoints);
    return residence;
}

} // namespace kvplan
