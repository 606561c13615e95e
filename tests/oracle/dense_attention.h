// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cache/format.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

/// Attention as the textbook writes it, in double precision, on one dense matrix of keys and one of values. It knows
/// nothing of blocks, tables, tiles or splits, and reads the stored bits in its own way.
namespace kvplan::oracle {

inline double storedValue(CacheFormat format, const unsigned char* row, std::size_t index, double scale)
{
    if (format == CacheFormat::Int8) {
        const int byte = row[index];
        return scale * (byte < 128 ? byte : byte - 256);
    }
    if (format == CacheFormat::Fp32) {
        float value = 0;
        std::memcpy(&value, row + 4 * index, 4);
        return static_cast<double>(value);
    }
    const int bits = row[2 * index] + 256 * row[2 * index + 1];
    const int mantissaBits = format == CacheFormat::Bf16 ? 7 : 10;
    const int bias = format == CacheFormat::Bf16 ? 127 : 15;
    const int exponent = (bits & 0x7FFF) >> mantissaBits;
    const double fraction = std::ldexp(bits & ((1 << mantissaBits) - 1), -mantissaBits);
    const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
    return bits >= 0x8000 ? -magnitude : magnitude;
}

using Matrix = std::vector<std::vector<double>>; ///< [token][element]

/// softmax(q · Kᵀ / √width) · V over rows [begin, end); zeros when there is none.
inline std::vector<double> attention(const std::vector<double>& query, const Matrix& keys, const Matrix& values,
    std::size_t begin, std::size_t end, std::size_t valueWidth)
{
    std::vector<double> result(valueWidth, 0.0);
    std::vector<double> scores;
    double largest = -HUGE_VAL;
    for (std::size_t t = begin; t < end; ++t) {
        double dot = 0;
        for (std::size_t i = 0; i < query.size(); ++i) {
            dot += query[i] * keys[t][i];
        }
        scores.push_back(dot / std::sqrt(static_cast<double>(query.size())));
        largest = std::fmax(largest, scores.back());
    }
    double sum = 0;
    for (double& score : scores) {
        score = std::exp(score - largest);
        sum += score;
    }
    for (std::size_t t = begin; t < end; ++t) {
        for (std::size_t i = 0; i < valueWidth; ++i) {
            result[i] += scores[t - begin] / sum * values[t][i];
        }
    }
    return result;
}

/// ‖got − expected‖ / ‖expected‖; the norm of the difference itself where nothing is expected.
template <class Got> double relativeError(const Got& got, const std::vector<double>& expected)
{
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        difference += std::pow(static_cast<double>(got[i]) - expected[i], 2);
        norm += std::pow(expected[i], 2);
    }
    return std::sqrt(norm > 0 ? difference / norm : difference);
}

} // namespace kvplan::oracle
