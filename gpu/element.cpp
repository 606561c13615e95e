// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/element.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace kvplan {

namespace {

template <class T> void store(std::byte* out, std::int64_t index, T element)
{
    std::memcpy(out + index * static_cast<std::int64_t>(sizeof(T)), &element, sizeof(T));
}

template <class T> T load(const std::byte* row, std::int64_t index)
{
    T element;
    std::memcpy(&element, row + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return element;
}

std::uint16_t bf16FromFloat(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value)) {
        return static_cast<std::uint16_t>((bits >> 16) | 0x40);
    }
    return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

std::uint16_t fp16FromFloat(float value)
{
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const float magnitude = std::abs(value);
    if (std::isnan(value)) {
        return sign | 0x7E00;
    }
    if (magnitude >= 65520.0F) {
        return sign | 0x7C00;
    }
    // The gap between neighbouring halves here, at least 2^-24; what rounds up to the next power of two carries into
    // the exponent by itself.
    const int exponent = std::max(magnitude > 0 ? std::ilogb(magnitude) : -14, -14);
    const auto steps = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
    return static_cast<std::uint16_t>(sign | ((static_cast<std::uint32_t>(exponent + 14) << 10) + steps));
}

double fp16Value(std::uint16_t bits)
{
    const int exponent = (bits >> 10) & 31;
    const int mantissa = bits & 1023;
    double magnitude = std::ldexp(exponent == 0 ? mantissa : mantissa + 1024, std::max(exponent, 1) - 25);
    if (exponent == 31) {
        magnitude = mantissa == 0 ? HUGE_VAL : std::nan("");
    }
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

constexpr float int8KeyScale = 1.0F / 96;
constexpr float int8ValueScale = 1.0F / 128;

} // namespace

bool hasElementCodec(CacheFormat format)
{
    return format == CacheFormat::Fp32 || format == CacheFormat::Bf16 || format == CacheFormat::Fp16
        || format == CacheFormat::Int8;
}

void encodeElements(CacheFormat format, const float* values, std::int64_t count, float scale, std::byte* out)
{
    for (std::int64_t i = 0; i < count; ++i) {
        switch (format) {
        case CacheFormat::Fp32:
            store(out, i, values[i]);
            break;
        case CacheFormat::Bf16:
            store(out, i, bf16FromFloat(values[i]));
            break;
        case CacheFormat::Fp16:
            store(out, i, fp16FromFloat(values[i]));
            break;
        default:
            store(out, i, static_cast<std::int8_t>(std::clamp(std::nearbyint(values[i] / scale), -127.0F, 127.0F)));
        }
    }
}

double decodeElement(CacheFormat format, const std::byte* row, std::int64_t index, float scale)
{
    switch (format) {
    case CacheFormat::Fp32:
        return load<float>(row, index);
    case CacheFormat::Bf16:
        return std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(row, index)} << 16);
    case CacheFormat::Fp16:
        return fp16Value(load<std::uint16_t>(row, index));
    default:
        return static_cast<double>(load<std::int8_t>(row, index)) * static_cast<double>(scale);
    }
}

std::uint64_t randomElements(CacheFormat format, std::uint64_t bits)
{
    // Sign, lowest exponent bit and mantissa stay random; the other exponent bits are those of 0.25.
    switch (format) {
    case CacheFormat::Fp32:
        return (bits & 0x80FFFFFF80FFFFFF) | 0x3E8000003E800000;
    case CacheFormat::Bf16:
        return (bits & 0x80FF80FF80FF80FF) | 0x3E803E803E803E80;
    case CacheFormat::Fp16:
        return (bits & 0x87FF87FF87FF87FF) | 0x3400340034003400;
    default:
        return bits;
    }
}

TensorScales randomScales(CacheFormat format)
{
    return format == CacheFormat::Int8 ? TensorScales{int8KeyScale, int8ValueScale} : TensorScales{};
}

} // namespace kvplan
