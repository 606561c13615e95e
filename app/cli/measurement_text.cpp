// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/measurement_text.h"

#include "core/plan/words.h"
#include "core/report/columns.h"

#include <fmt/format.h>

namespace kvplan::cli {

namespace {

using enum Align;

std::string milliseconds(double seconds)
{
    return seconds < 0.9995 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} s", seconds);
}

std::string rate(double perSecond, std::string_view unit)
{
    return fmt::format("{:.3g} {}", perSecond / 1e9, unit);
}

/// To the byte, so that a small difference shows.
std::string exact(Bytes bytes)
{
    return grouped(bytes.count()) + " B";
}

std::string orDash(const std::optional<Bytes>& bytes)
{
    return bytes ? exact(*bytes) : "-";
}

std::string memoryText(const Measurement& m)
{
    Columns columns({Left, Right, Right, Left});
    columns.add({"", "predicted", "measured"});
    for (const MemoryLine& line : m.memory) {
        columns.add({line.name, orDash(line.predicted), orDash(line.measured)});
    }
    columns.add({"in all", exact(m.predictedBytes), exact(m.deviceUsedBytes),
        fmt::format("{:+.3f} %", m.memoryRelativeError * 100)});
    return columns.text();
}

std::string timeText(const Measurement& m)
{
    Columns columns({Left, Right, Left});
    columns.add({"one step", milliseconds(m.stepSeconds.median),
        fmt::format("median of {}; {} to {} for the middle 80 %", m.stepSamples.size(), milliseconds(m.stepSeconds.p10),
            milliseconds(m.stepSeconds.p90))});
    columns.add(
        {"predicted, additive", milliseconds(m.predictedStepSeconds), "bytes / read rate + flops / kernel rate"});
    columns.add({"predicted, classic", milliseconds(m.predictedMaxStepSeconds),
        "the longer of bytes / read rate and flops / FMA rate"});
    columns.add({"cache read a step", bytesText(m.kvBytesPerStep)});
    columns.add({"achieved", rate(m.bandwidthBytesPerSecond, "GB/s"),
        fmt::format("{:.0f} % of what this device read in the same run, {}", m.fractionOfRead * 100,
            rate(m.readBytesPerSecond, "GB/s"))});
    columns.add({"copy", rate(m.copyBytesPerSecond, "GB/s")});
    columns.add({"multiply-add", rate(m.fmaFlopsPerSecond, "GFLOP/s"),
        fmt::format("this kernel on data in cache: {}", rate(m.kernelFlopsPerSecond, "GFLOP/s"))});
    return columns.text();
}

std::string checkText(const Measurement& m)
{
    if (m.checkReference.empty()) {
        return "  not checked\n";
    }
    return fmt::format("  {}: relative error {:.2g} over {} sequences, at most {:.2g} is allowed, against {}\n",
        m.checkPassed ? "passed" : "FAILED", m.checkRelativeError, m.sequencesChecked, m.checkTolerance,
        m.checkReference);
}

} // namespace

std::string measurementText(const Measurement& m)
{
    const std::string resident = m.layersResident == m.layersTotal
        ? fmt::format("all {} layers", m.layersTotal)
        : fmt::format("{} of {} layers, as many as fit (the cache is linear in them)", m.layersResident, m.layersTotal);
    return fmt::format("{} held {} with {}; a decode step over them takes {}.\n", m.device.name,
               bytesText(m.deviceUsedBytes), resident, milliseconds(m.stepSeconds.median))
        + fmt::format("{} sequences of {} tokens, {} cache in blocks of {}, {} threads, {}, {}\n",
            grouped(m.request.sequences), grouped(m.request.context.count() + 1), name(m.request.format),
            m.request.blockTokens.count(), m.threads, m.build, m.date)
        + "\nMemory\n" + memoryText(m) + "\nTime\n" + timeText(m) + "\nCheck\n" + checkText(m);
}

} // namespace kvplan::cli
