// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/parameters.h"

#include "core/units.h"

namespace kvplan {

namespace {

/// A count of parameters whose arithmetic throws OverflowError.
using Parameters = Count<struct ParametersTag>;

Parameters matrix(std::int64_t rows, std::int64_t columns)
{
    return Parameters(rows) * columns;
}

} // namespace

void ParameterCount::add(WeightPart part, std::int64_t parameters)
{
    std::int64_t& sum = parts[static_cast<std::size_t>(part)];
    sum = checkedAdd(sum, parameters);
}

std::int64_t ParameterCount::total() const
{
    Parameters sum;
    for (const std::int64_t part : parts) {
        sum += Parameters(part);
    }
    return sum.count();
}

std::int64_t ParameterCount::active() const
{
    return total() - of(WeightPart::Routed) + routedActive;
}

std::int64_t projectionParameters(const ProjectionShape& shape)
{
    const Parameters query = matrix(shape.hidden, shape.queryHeads) * shape.keyDim * shape.queryFactor;
    const Parameters output = matrix(shape.hidden, shape.queryHeads) * shape.valueDim;
    const Parameters cached
        = matrix(shape.hidden, shape.kvHeads) * (shape.keyDim + (shape.keyIsValue ? 0 : shape.valueDim));
    return (query + output + cached).count();
}

std::int64_t latentParameters(const LatentShape& shape)
{
    const std::int64_t headDim = shape.nopeDim + shape.ropeDim;
    const Parameters queries = matrix(shape.queryHeads, headDim);
    const Parameters query = shape.queryRank > 0 ? matrix(shape.hidden, shape.queryRank) + queries * shape.queryRank
                                                 : queries * shape.hidden;
    const Parameters down = matrix(shape.hidden, shape.rank + shape.ropeDim);
    const Parameters up = matrix(shape.queryHeads, shape.nopeDim + shape.valueDim) * shape.rank;
    const Parameters output = matrix(shape.queryHeads, shape.valueDim) * shape.hidden;
    Parameters indexer;
    if (shape.indexerDim > 0) {
        const std::int64_t from = shape.queryRank > 0 ? shape.queryRank : shape.hidden;
        indexer = matrix(shape.indexerHeads, shape.indexerDim) * from
            + matrix(shape.hidden, shape.indexerDim + shape.indexerHeads);
    }
    return (query + down + up + output + indexer).count();
}

std::int64_t gatedDeltaParameters(std::int64_t hidden, std::int64_t keyHeads, std::int64_t keyDim,
    std::int64_t valueHeads, std::int64_t valueDim, std::int64_t kernel)
{
    const Parameters keys = matrix(keyHeads, keyDim);
    const Parameters values = matrix(valueHeads, valueDim);
    const Parameters input = (keys * 2 + values * 2 + Parameters(valueHeads) * 2) * hidden;
    const Parameters convolution = (keys * 2 + values) * kernel;
    return (input + convolution + values * hidden).count();
}

std::int64_t mamba1Parameters(
    std::int64_t hidden, std::int64_t inner, std::int64_t state, std::int64_t kernel, std::int64_t deltaRank)
{
    const Parameters input = matrix(hidden, inner) * 2;
    const Parameters convolution = matrix(inner, kernel + 1);
    const Parameters selection = matrix(inner, deltaRank + 2 * state) + matrix(inner, deltaRank + 1);
    const Parameters decay = matrix(inner, state + 1);
    return (input + convolution + selection + decay + matrix(inner, hidden)).count();
}

std::int64_t mamba2Parameters(std::int64_t hidden, std::int64_t heads, std::int64_t headDim, std::int64_t groups,
    std::int64_t state, std::int64_t kernel)
{
    const Parameters inner = matrix(heads, headDim);
    const Parameters selected = inner + matrix(groups, state) * 2;
    const Parameters input = (inner + selected + Parameters(heads)) * hidden;
    return (input + selected * (kernel + 1) + Parameters(heads) * 3 + inner + inner * hidden).count();
}

std::int64_t feedForwardParameters(std::int64_t hidden, std::int64_t width, bool gated)
{
    return (matrix(hidden, width) * (gated ? 3 : 2)).count();
}

} // namespace kvplan
