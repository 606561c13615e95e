// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <stdexcept>

namespace kvplan {

/// An exact integer result does not fit 64 bits. Thrown by the arithmetic below; public functions of core that can
/// meet it return it as an Error (see guarded() in error.h).
class OverflowError : public std::overflow_error {
public:
    OverflowError()
        : std::overflow_error("the result does not fit 64 bits")
    {
    }
};

inline std::int64_t checkedAdd(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (__builtin_add_overflow(a, b, &result)) {
        throw OverflowError();
    }
    return result;
}

inline std::int64_t checkedSubtract(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (__builtin_sub_overflow(a, b, &result)) {
        throw OverflowError();
    }
    return result;
}

inline std::int64_t checkedMultiply(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result)) {
        throw OverflowError();
    }
    return result;
}

/// ⌈numerator / denominator⌉ for numerator ≥ 0 and denominator > 0.
constexpr std::int64_t ceilDivide(std::int64_t numerator, std::int64_t denominator)
{
    return numerator / denominator + (numerator % denominator != 0 ? 1 : 0);
}

/// A 64-bit count of one kind of thing. Counts of different kinds neither add nor compare: mixing them does not
/// compile. All arithmetic is exact; a result that does not fit throws OverflowError.
template <class Tag> class Count {
public:
    constexpr Count() = default;
    constexpr explicit Count(std::int64_t value)
        : m_value(value)
    {
    }

    constexpr std::int64_t count() const { return m_value; }

    friend Count operator+(Count a, Count b) { return Count(checkedAdd(a.m_value, b.m_value)); }
    friend Count operator-(Count a, Count b) { return Count(checkedSubtract(a.m_value, b.m_value)); }
    friend Count operator*(Count a, std::int64_t factor) { return Count(checkedMultiply(a.m_value, factor)); }
    friend Count operator*(std::int64_t factor, Count a) { return a * factor; }
    Count& operator+=(Count other) { return *this = *this + other; }
    Count& operator-=(Count other) { return *this = *this - other; }

    friend constexpr auto operator<=>(Count, Count) = default;

private:
    std::int64_t m_value = 0;
};

using Bytes = Count<struct BytesTag>;
using Tokens = Count<struct TokensTag>;
using Blocks = Count<struct BlocksTag>;

/// A length of time in seconds.
class Seconds {
public:
    constexpr Seconds() = default;
    constexpr explicit Seconds(double value)
        : m_value(value)
    {
    }

    constexpr double count() const { return m_value; }

    friend constexpr Seconds operator+(Seconds a, Seconds b) { return Seconds(a.m_value + b.m_value); }
    friend constexpr Seconds operator-(Seconds a, Seconds b) { return Seconds(a.m_value - b.m_value); }
    friend constexpr Seconds operator*(Seconds a, double factor) { return Seconds(a.m_value * factor); }
    friend constexpr double operator/(Seconds a, Seconds b) { return a.m_value / b.m_value; }
    friend constexpr auto operator<=>(Seconds, Seconds) = default;

private:
    double m_value = 0;
};

/// How often `part` goes into `whole`, as a real number.
template <class Tag> constexpr double ratio(Count<Tag> whole, Count<Tag> part)
{
    return static_cast<double>(whole.count()) / static_cast<double>(part.count());
}

constexpr std::int64_t bytesPerGib = std::int64_t{1} << 30;

constexpr double gib(Bytes bytes)
{
    return static_cast<double>(bytes.count()) / static_cast<double>(bytesPerGib);
}

/// `value` GiB to the nearest byte; throws OverflowError beyond 2^63.
Bytes bytesFromGib(double value);

} // namespace kvplan
