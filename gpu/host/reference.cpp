// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/reference.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace kvplan {

void referenceHead(
    const LayerView& layer, const SequenceView& sequence, std::int64_t queryHead, const float* query, double* out)
{
    const LayerShape& shape = layer.shape;
    std::fill_n(out, shape.valueDim, 0.0);
    if (sequence.begin == sequence.end) {
        return;
    }
    const std::int64_t kvHead = queryHead / (shape.queryHeads / shape.kvHeads);
    std::vector<double> weights;
    for (std::int64_t token = sequence.begin; token < sequence.end; ++token) {
        const std::byte* key
            = layer.keyRow(sequence.table[token / layer.blockTokens], kvHead, token % layer.blockTokens);
        double dot = 0;
        for (std::int64_t i = 0; i < shape.keyDim; ++i) {
            dot += static_cast<double>(query[i]) * decodeElement(layer.format, key, i, layer.scales.key);
        }
        weights.push_back(dot / std::sqrt(static_cast<double>(shape.keyDim)));
    }
    const double largest = *std::ranges::max_element(weights);
    double sum = 0;
    for (std::int64_t token = sequence.begin; token < sequence.end; ++token) {
        const double weight = std::exp(weights[static_cast<std::size_t>(token - sequence.begin)] - largest);
        sum += weight;
        const std::byte* value
            = layer.valueRow(sequence.table[token / layer.blockTokens], kvHead, token % layer.blockTokens);
        for (std::int64_t i = 0; i < shape.valueDim; ++i) {
            out[i] += weight * decodeElement(layer.format, value, i, layer.valueScale());
        }
    }
    for (std::int64_t i = 0; i < shape.valueDim; ++i) {
        out[i] /= sum;
    }
}

double referenceError(const LayerView& layer, const SequenceView& sequence, const float* queries, const float* outputs,
    std::int64_t elements)
{
    const LayerShape& shape = layer.shape;
    const std::int64_t elementsOfHead
        = std::max<std::int64_t>(1, (sequence.end - sequence.begin) * (shape.keyDim + shape.valueDim));
    const std::int64_t heads = std::clamp<std::int64_t>(elements / elementsOfHead, 1, shape.queryHeads);
    std::vector<double> difference(static_cast<std::size_t>(heads));
    std::vector<double> norm(static_cast<std::size_t>(heads));
    oneapi::tbb::parallel_for(std::int64_t{0}, heads, [&](std::int64_t index) {
        const std::int64_t head = index * shape.queryHeads / heads;
        std::vector<double> expected(static_cast<std::size_t>(shape.valueDim));
        referenceHead(layer, sequence, head, queries + head * shape.keyDim, expected.data());
        const float* got = outputs + head * shape.valueDim;
        double& differenceOfHead = difference[static_cast<std::size_t>(index)];
        for (const double value : expected) {
            norm[static_cast<std::size_t>(index)] += value * value;
            differenceOfHead += (value - static_cast<double>(*got)) * (value - static_cast<double>(*got));
            ++got;
        }
    });
    double differences = 0;
    double norms = 0;
    for (std::size_t i = 0; i < norm.size(); ++i) {
        differences += difference[i];
        norms += norm[i];
    }
    return differences == 0 ? 0.0 : std::sqrt(differences / norms);
}

} // namespace kvplan
