// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/units.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace kvplan {

/// Element formats of a cached key or value.
enum class CacheFormat {
    Fp32,
    Bf16,
    Fp16,
    Fp8,
    Int8,
    Fp8PerTokenHead,
    Int8PerTokenHead,
    Q8_0,
    Q5_1,
    Q5_0,
    Q4_1,
    Iq4Nl,
    Q4_0,
    Nvfp4,
    Mxfp4,
    Int4,
    Fp8DsMla,
};

/// How a format lays out one row: the elements of one token, one head, one of K or V.
/// bytes(row of n) = n / groupElements · groupBytes + rowScaleBytes.
struct CacheFormatInfo {
    CacheFormat format;
    std::string_view name; ///< as the command line and files spell it
    std::int64_t groupElements; ///< a row's width must be a multiple of this
    std::int64_t groupBytes;
    std::int64_t rowScaleBytes; ///< a scale for each token and head
    std::string_view source;

    /// Average bytes an element, scales of groups included and row scales left out.
    constexpr double bytesPerElement() const
    {
        return static_cast<double>(groupBytes) / static_cast<double>(groupElements);
    }
};

/// Every format, by falling bytes per element.
std::span<const CacheFormatInfo> cacheFormats();

const CacheFormatInfo& info(CacheFormat format);

inline std::string_view name(CacheFormat format)
{
    return info(format).name;
}

/// Finds a format by its name, without case; fails with the list of names.
Result<CacheFormat> cacheFormatFromName(std::string_view name);

/// Whether rows of this width can be stored; the Error names the multiple that is needed.
Result<void> checkRowWidth(CacheFormat format, std::int64_t width);

/// Exact bytes of one row of `width` elements. The width has passed checkRowWidth.
Bytes rowBytes(CacheFormat format, std::int64_t width);

} // namespace kvplan
