// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/sum_tail.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <utility>

namespace kvplan {

namespace {

using Complex = std::complex<double>;

constexpr std::size_t transformSize = 2048;
constexpr double cells = transformSize / 2; ///< lattice steps in the pool
constexpr double wrapped = 1e-9; ///< what is left of a sum that goes once round the transform

/// Without the checks for infinities that * makes.
Complex product(const Complex& a, const Complex& b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Σ_k a_k e^(−2πijk/n) in place; n is a power of two.
void transform(std::vector<Complex>& a)
{
    const std::size_t n = a.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1;
        for (; (j & bit) != 0; bit >>= 1) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) {
            std::swap(a[i], a[j]);
        }
    }
    std::vector<Complex> roots(n / 2);
    for (std::size_t i = 0; i < n / 2; ++i) {
        roots[i] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
    }
    for (std::size_t half = 1; half < n; half *= 2) {
        const std::size_t stride = n / (2 * half);
        for (std::size_t begin = 0; begin < n; begin += 2 * half) {
            for (std::size_t i = 0; i < half; ++i) {
                const Complex& root = roots[i * stride];
                Complex& low = a[begin + i];
                Complex& high = a[begin + i + half];
                const Complex turned = product(high, root);
                high = low - turned;
                low += turned;
            }
        }
    }
}

/// The step of a lattice on which all values lie and that the transform can hold; 0 where there is none.
double commonStep(const std::vector<WeightedValue>& values, double pool)
{
    std::int64_t step = 0;
    for (const WeightedValue& v : values) {
        if (v.value != std::floor(v.value) || v.value > 9e15) {
            return 0;
        }
        step = std::gcd(step, static_cast<std::int64_t>(v.value));
    }
    const auto result = static_cast<double>(step);
    return step > 0 && pool / result < cells ? result : 0;
}

} // namespace

bool LatticeTail::exactFor(const std::vector<WeightedValue>& values, double pool)
{
    return commonStep(values, pool) > 0;
}

LatticeTail::LatticeTail(const std::vector<WeightedValue>& values, double pool)
{
    const double common = commonStep(values, pool);
    const double step = common > 0 ? common : pool / cells;
    const auto last = static_cast<std::size_t>(pool / step);
    const double logDamping = std::log(wrapped) / static_cast<double>(transformSize);

    std::vector<Complex> x(transformSize);
    const auto add = [&](double at, double weight) {
        const auto index = static_cast<std::size_t>(at < 0 ? at + static_cast<double>(transformSize) : at);
        x[index] += weight * std::exp(logDamping * at);
    };
    for (const WeightedValue& v : values) {
        const double place = v.value / step;
        if (place > static_cast<double>(last) + 1) {
            continue; // never fits
        }
        const double nearest = std::round(place);
        const double off = place - nearest;
        add(nearest, v.weight * (1 - off * off));
        if (off != 0) {
            add(nearest - 1, v.weight * (off * off - off) / 2);
            add(nearest + 1, v.weight * (off * off + off) / 2);
        }
    }
    transform(x);

    const double lastWeight = common > 0 ? 1 : 0.5; // of a continuous sum half the last cell lies beyond the pool
    const auto count = static_cast<double>(last);
    const double growth = std::exp(-logDamping);
    const double growthToEnd = std::exp(-logDamping * count);
    m_frequencies.reserve(transformSize / 2 + 1);
    for (std::size_t j = 0; j <= transformSize / 2; ++j) {
        // Σ r^k over k below `last` and the last one's part, with r = growth · e^iω.
        const double angle = 2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(transformSize);
        const Complex ratio = std::polar(growth, angle);
        const Complex end = std::polar(growthToEnd, angle * count);
        const Complex kernel = product(1.0 - end, std::conj(1.0 - ratio)) / std::norm(1.0 - ratio) + lastWeight * end;
        const bool paired = j > 0 && j < transformSize / 2; // stands for its conjugate too
        const double share = (paired ? 2.0 : 1.0) / static_cast<double>(transformSize);
        m_frequencies.push_back(
            {std::log(std::norm(x[j])) / 2, std::arg(x[j]), share * kernel.real(), share * kernel.imag()});
    }
}

double LatticeTail::operator()(std::int64_t sequences) const
{
    constexpr double negligible = -45; // e^−45 is below a rounding error
    const auto b = static_cast<double>(sequences);
    double fits = 0;
    for (const Frequency& f : m_frequencies) {
        if (b * f.logModulus > negligible) {
            const double phase = b * f.phase;
            fits += std::exp(b * f.logModulus) * (std::cos(phase) * f.kernelReal - std::sin(phase) * f.kernelImaginary);
        }
    }
    return std::clamp(1 - fits, 0.0, 1.0);
}

} // namespace kvplan
