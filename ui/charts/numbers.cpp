// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/numbers.h"

#include <QLocale>

#include <cmath>

namespace kvplan {

QString significant(double value)
{
    if (!std::isfinite(value)) {
        return QStringLiteral("–");
    }
    const double size = std::abs(value);
    const bool whole = std::abs(value - std::round(value)) < 1e-9 * std::max(1.0, size) && size < 1e15;
    if (size == 0 || whole || size >= 999.5) {
        return QLocale(QLocale::English).toString(value, 'f', 0);
    }
    const int magnitude = static_cast<int>(std::floor(std::log10(size)));
    QString text = QLocale(QLocale::English).toString(value, 'f', std::clamp(2 - magnitude, 0, 12));
    return text;
}

QString tickText(double value)
{
    return std::abs(value) >= 1 ? QLocale(QLocale::English).toString(value, 'f', value == std::floor(value) ? 0 : 1)
                                : QString::number(value, 'g', 4);
}

QString binaryThousands(double value)
{
    const auto scaled
        = [&](double unit, const char* suffix) { return significant(value / unit) + QString::fromLatin1(suffix); };
    if (value >= 1048576) {
        return scaled(1048576, "M");
    }
    return value >= 1024 ? scaled(1024, "k") : tickText(value);
}

QString gibNumber(Bytes bytes)
{
    const double value = gib(bytes);
    return std::abs(value) < 0.05 && bytes.count() != 0 ? QString::number(value, 'g', 2)
                                                        : QLocale(QLocale::English).toString(value, 'f', 1);
}

std::vector<Tick> powerOfTwoTicks(double low, double high, int stride)
{
    std::vector<Tick> ticks;
    const int first = static_cast<int>(std::ceil(std::log2(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log2(high) + 1e-9));
    for (int exponent = first; exponent <= last; ++exponent) {
        const double at = std::exp2(exponent);
        const bool named = (exponent - first) % stride == 0;
        ticks.push_back({at, named ? binaryThousands(at) : QString()});
    }
    return ticks;
}

std::vector<Tick> decadeTicks(double low, double high)
{
    std::vector<Tick> ticks;
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    for (int exponent = first; exponent <= last; ++exponent) {
        const double at = std::pow(10.0, exponent);
        ticks.push_back({at, tickText(at)});
    }
    return ticks;
}

std::vector<Tick> linearTicks(double high, int count)
{
    const double raw = high / count;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double step = raw / power < 1.5 ? power
        : raw / power < 3.5               ? 2 * power
        : raw / power < 7.5               ? 5 * power
                                          : 10 * power;
    std::vector<Tick> ticks;
    for (int i = 0; i * step <= high * (1 + 1e-9); ++i) {
        ticks.push_back({i * step, tickText(i * step)});
    }
    return ticks;
}

} // namespace kvplan
