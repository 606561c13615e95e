// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cache/format.h"

#include <cstddef>
#include <cstdint>

namespace kvplan {

/// Tokens whose scores are worked on together, within one block.
constexpr std::int64_t tileTokens = 16;

/// A stretch of one sequence in one layer: every query head against tokens [begin, end). All pointers are given by the
/// caller and outlive the call; rows are dense.
struct AttendTask {
    CacheFormat format = CacheFormat::Bf16;
    std::int64_t queryHeads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t keyDim = 0; ///< a multiple of 8, like valueDim
    std::int64_t valueDim = 0;
    bool latent = false; ///< values are the first valueDim elements of the key
    std::int64_t blockTokens = 0;

    const std::byte* layer = nullptr; ///< block b starts at layer + b · blockBytes
    std::int64_t blockBytes = 0;
    std::int64_t keyBytes = 0; ///< V starts this far into a block
    const std::int32_t* table = nullptr; ///< physical block of logical block i
    std::int64_t begin = 0;
    std::int64_t end = 0;

    const float* query = nullptr; ///< [query head][keyDim]
    float scoreScale = 1; ///< times q · k: the softmax scale and the keys' scale

    // Results of the stretch: exp(score − maximum) summed, and the same weights times V, not yet divided.
    float* accumulators = nullptr; ///< [query head][valueDim]
    float* maxima = nullptr; ///< [query head]
    float* sums = nullptr; ///< [query head]
};

/// Online softmax attention over the stretch, in fp32, with the best instructions this machine has. begin < end.
void attend(const AttendTask& task);

/// The instruction set attend() uses: "AVX2".
const char* attendTarget();

} // namespace kvplan
