// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"
#include "app/cli/measurement_text.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "core/report/columns.h"
#include "gpu/measurement.h"

#include <fmt/format.h>

#include <cstdio>
#include <limits>
#include <unistd.h>

namespace kvplan::cli {

namespace {

constexpr std::int64_t mostSteps = 100000;

/// The line of progress on a terminal; nothing where standard error goes elsewhere.
class ProgressLine {
public:
    void show(double done, const std::string& what)
    {
        if (m_terminal) {
            fmt::print(stderr, "\r\033[K{:3.0f} %  {}", done * 100, oneLine(what));
            std::fflush(stderr);
        }
    }
    void say(const std::string& text)
    {
        if (m_terminal) {
            fmt::print(stderr, "{}\n", text);
        }
    }
    void clear()
    {
        if (m_terminal) {
            fmt::print(stderr, "\r\033[K");
        }
    }

private:
    bool m_terminal = ::isatty(STDERR_FILENO) != 0;
};

Result<void> applyRunFlags(MeasureRequest& request, const Flags& flags)
{
    request.device = flags.value("--device").value_or("cpu");
    const auto number = [&](const char* flag, std::int64_t minimum, std::int64_t maximum, auto set) -> Result<void> {
        const auto given = flags.value(flag);
        if (!given) {
            return {};
        }
        return wholeNumber(flag, *given, minimum, maximum).map(set);
    };
    if (auto steps = number("--steps", 1, mostSteps, [&](std::int64_t n) { request.steps = n; }); !steps) {
        return steps;
    }
    if (flags.value("--layers-resident").value_or("auto") != "auto") {
        if (auto layers = number("--layers-resident", 1, 100000, [&](std::int64_t n) { request.layersResident = n; });
            !layers) {
            return layers;
        }
    }
    request.verify = !flags.isSet("--no-verify");
    return number("--seed", 0, std::numeric_limits<std::int64_t>::max(),
        [&](std::int64_t n) { request.seed = static_cast<std::uint64_t>(n); });
}

Result<MeasureRequest> requestFrom(const Flags& flags)
{
    const auto scenario = scenarioFrom(flags);
    if (!scenario) {
        return tl::unexpected<Error>(scenario.error());
    }
    auto request = measureRequest(*scenario);
    if (request) {
        if (auto applied = applyRunFlags(*request, flags); !applied) {
            return tl::unexpected<Error>(applied.error());
        }
    }
    return request;
}

std::string previewText(const AllocationPreview& preview)
{
    return fmt::format("takes {} for {} of {} layers, of {} available",
        bytesText(preview.pool + preview.tables + preview.workspace), preview.layersResident, preview.layersTotal,
        bytesText(preview.available));
}

Result<ExitCode> measureScenario(const Flags& flags)
{
    const auto request = requestFrom(flags);
    if (!request) {
        return tl::unexpected<Error>(request.error());
    }
    const Interrupt interrupt;
    ProgressLine line;
    const auto preview = previewAllocation(*request);
    if (!preview) {
        return tl::unexpected<Error>(preview.error());
    }
    line.say(previewText(*preview));
    const auto measured = measure(
        *request, [&](double done, const std::string& what) { line.show(done, what); }, interrupt.token());
    line.clear();
    if (!measured && measured.error().code == ErrorCode::Cancelled) {
        return interrupt.signal() == SIGTERM ? Terminated : Interrupted;
    }
    if (!measured) {
        return tl::unexpected<Error>(measured.error());
    }
    return printAndEnd(flags.isSet("--json") ? writeMeasurement(*measured) : measurementText(*measured));
}

} // namespace

Result<ExitCode> runMeasure(const Arguments& arguments)
{
    Flags flags("measure",
        "Allocate the planned cache on this machine, decode over it, and set what happened beside what was predicted.");
    flags.addValue("device", "NAME", "Where: cpu.", "Measuring");
    flags.addValue("layers-resident", "N", "Layers to hold; auto: as many as fit (auto unless given).", "Measuring");
    flags.addValue("steps", "N",
        fmt::format("Timed steps (1 to {}; {} unless given).", mostSteps, MeasureRequest().steps), "Measuring");
    flags.addValue(
        "seed", "N", fmt::format("Of the cache's values ({} unless given).", MeasureRequest().seed), "Measuring");
    flags.addSwitch("verify", "Check the result against a double-precision reference; so it is unless told otherwise.",
        "Measuring");
    flags.addSwitch("no-verify", "Leave the check out.", "Measuring");
    flags.addSwitch("json", "Print one JSON object.", "Output");
    addScenarioFlags(flags);
    return answer(flags, arguments, [&] { return measureScenario(flags); });
}

} // namespace kvplan::cli
