// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cache/format.h"

#include <cstddef>
#include <cstdint>

namespace kvplan {

/// Scales of a tensor: a stored int8 element x stands for x · scale. Other formats keep 1.
struct TensorScales {
    float key = 1;
    float value = 1;
};

/// Whether single elements of this format can be written and read, and a decode kernel exists.
bool hasElementCodec(CacheFormat format);

/// Stores `count` values, rounded to nearest even; int8 saturates at ±127. Layout: one element after another.
void encodeElements(CacheFormat format, const float* values, std::int64_t count, float scale, std::byte* out);

/// The value of element `index` of a row, exactly.
double decodeElement(CacheFormat format, const std::byte* row, std::int64_t index, float scale);

/// Turns 64 random bits into 8 bytes of finite elements: ±[0.25, 1) for the floating formats, any byte for int8.
std::uint64_t randomElements(CacheFormat format, std::uint64_t bits);

/// Scales that make random elements of either format about as large as the floating ones.
TensorScales randomScales(CacheFormat format);

} // namespace kvplan
