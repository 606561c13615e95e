// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measure_view.h"

#include "core/plan/words.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>
#include <cmath>

namespace kvplan {

namespace {

constexpr double bytesPerMib = 1048576;

QString tr(const char* text)
{
    return QCoreApplication::translate("kvplan::MeasureTab", text);
}

QLocale plain()
{
    QLocale locale = QLocale::c();
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    return locale;
}

double mib(Bytes bytes)
{
    return static_cast<double>(bytes.count()) / bytesPerMib;
}

QString mibText(double value)
{
    const double size = std::abs(value);
    return size > 0 && size < 1 ? plain().toString(value, 'g', 2) : plain().toString(value, 'f', size >= 1000 ? 1 : 2);
}

QString mibText(const std::optional<Bytes>& bytes)
{
    return bytes ? mibText(mib(*bytes)) : QStringLiteral("–");
}

QString signedMib(double value)
{
    if (value == 0) {
        return QStringLiteral("0");
    }
    return (value > 0 ? QStringLiteral("+") : QStringLiteral("−")) + mibText(std::abs(value));
}

QString signedPercent(double fraction)
{
    if (fraction == 0) {
        return QStringLiteral("0 %");
    }
    return QStringLiteral("%1%2 %").arg(
        fraction > 0 ? QStringLiteral("+") : QStringLiteral("−"), plain().toString(std::abs(fraction) * 100, 'g', 2));
}

/// 3.2e-7 as 3.2·10⁻⁷.
QString powerText(double value)
{
    if (value == 0 || !std::isfinite(value)) {
        return plain().toString(value);
    }
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double mantissa = value / std::pow(10.0, exponent);
    static const QString superscripts = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString power = exponent < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(exponent))) {
        power += superscripts[digit.digitValue()];
    }
    return QStringLiteral("%1 · 10%2").arg(plain().toString(mantissa, 'f', 1), power);
}

QString threeDigits(double value)
{
    const int whole = value >= 1 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
    return plain().toString(value, 'f', std::clamp(3 - whole, 0, 2));
}

struct Scale {
    double factor;
    const char* unit;
};

template <std::size_t n> QString scaled(double value, const std::array<Scale, n>& scales)
{
    for (const Scale& scale : scales) {
        if (value >= scale.factor) {
            return QStringLiteral("%1 %2").arg(threeDigits(value / scale.factor), QString::fromUtf8(scale.unit));
        }
    }
    return QStringLiteral("%1 %2").arg(
        threeDigits(value / scales.back().factor), QString::fromUtf8(scales.back().unit));
}

QString gibOf(Bytes bytes)
{
    return QString::fromStdString(gibText(bytes));
}

} // namespace

QString timeText(double seconds)
{
    return scaled(seconds, std::array<Scale, 4>{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}});
}

QString rateText(double bytesPerSecond)
{
    return scaled(bytesPerSecond, std::array<Scale, 3>{{{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}}});
}

QString deviceText(const DeviceInfo& device)
{
    return QStringLiteral("%1 · %2 · %3")
        .arg(QString::fromStdString(device.id).toUpper(), QString::fromStdString(device.name),
            tr("%1 of %2 free").arg(gibOf(device.available), gibOf(device.memory)));
}

FactTable allocationTable(const AllocationPreview& preview)
{
    const auto number = [](std::int64_t value) { return QString::fromStdString(grouped(value)); };
    FactTable table;
    table.rows = {
        {{tr("Layers resident"), tr("%1 of %2").arg(number(preview.layersResident), number(preview.layersTotal))}},
        {{tr("Blocks"), number(preview.blocks.count())}},
        {{tr("Cache pool"), gibOf(preview.pool)}},
        {{tr("Block tables"), tr("%1 MiB").arg(mibText(mib(preview.tables)))}},
        {{tr("Workspace"), tr("%1 MiB").arg(mibText(mib(preview.workspace)))}},
        {{tr("Together"), gibOf(preview.pool + preview.tables + preview.workspace)}, true},
        {{tr("Free now"), gibOf(preview.available)}},
        {{tr("Left free"), gibOf(preview.margin)}},
    };
    return table;
}

FactTable memoryTable(const Measurement& m)
{
    FactTable table;
    table.header = {tr("MiB"), tr("predicted"), tr("measured"), tr("difference")};
    for (const MemoryLine& line : m.memory) {
        QString name = QString::fromStdString(line.name);
        if (!name.isEmpty()) {
            name[0] = name[0].toUpper();
        }
        const QString difference
            = line.predicted && line.measured ? signedMib(mib(*line.measured - *line.predicted)) : QString();
        table.rows.push_back({{name, mibText(line.predicted), mibText(line.measured), difference}});
    }
    table.rows.push_back({{tr("Pool, tables, workspace"), mibText(mib(m.predictedBytes)),
                              mibText(mib(m.deviceUsedBytes)), signedPercent(m.memoryRelativeError)},
        true});
    return table;
}

StepTimes stepTimes(const Measurement& m)
{
    StepTimes times;
    for (const double sample : m.stepSamples) {
        times.samplesMs.push_back(sample * 1e3);
    }
    times.medianMs = m.stepSeconds.median * 1e3;
    times.p10Ms = m.stepSeconds.p10 * 1e3;
    times.p90Ms = m.stepSeconds.p90 * 1e3;
    times.additiveMs = m.predictedStepSeconds * 1e3;
    times.classicMs = m.predictedMaxStepSeconds * 1e3;
    return times;
}

std::vector<ShareBar> bandwidthBars(const Measurement& m)
{
    const double most = std::max({m.readBytesPerSecond, m.copyBytesPerSecond, m.bandwidthBytesPerSecond, 1.0});
    return {
        {tr("Decode step"), m.bandwidthBytesPerSecond / most,
            tr("%1 · %2 %").arg(rateText(m.bandwidthBytesPerSecond), plain().toString(m.fractionOfRead * 100, 'f', 0)),
            true},
        {tr("Streaming read"), m.readBytesPerSecond / most, rateText(m.readBytesPerSecond), false},
        {tr("Copy"), m.copyBytesPerSecond / most, rateText(m.copyBytesPerSecond), false},
    };
}

FactTable checkTable(const Measurement& m)
{
    FactTable table;
    if (m.checkReference.empty()) {
        table.rows.push_back({{tr("Not checked in this run"), QString()}});
        return table;
    }
    const auto number = [](std::int64_t value) { return QString::fromStdString(grouped(value)); };
    table.rows = {
        {{tr("Relative error"), powerText(m.checkRelativeError)}, false, !m.checkPassed},
        {{tr("Tolerance"), powerText(m.checkTolerance)}},
        {{tr("Sequences checked"), tr("%1 of %2").arg(number(m.sequencesChecked), number(m.request.sequences))}},
        {{tr("Passed"), m.checkPassed ? tr("yes") : tr("no")}, true, !m.checkPassed},
        {{tr("Kernel rate"),
            tr("%1 GFLOP/s of %2")
                .arg(threeDigits(m.kernelFlopsPerSecond / 1e9), threeDigits(m.fmaFlopsPerSecond / 1e9))}},
        {{tr("Kernel"), QString::fromStdString(m.build)}},
    };
    return table;
}

} // namespace kvplan
