// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "app/hush_qt.h"
#include "core/text_file.h"
#include "gpu/measurement.h"
#include "ui/window/render.h"

#include <QApplication>
#include <QFile>

#include <fmt/format.h>

namespace kvplan::cli {

namespace {

constexpr QSize usualSize{1600, 1000};
constexpr int largestSide = 16384;

tl::unexpected<Error> notAChoice(const std::string& flag, const std::string& given, std::string choices)
{
    return failure(
        ErrorCode::InvalidValue, fmt::format("\"{}\" is not a choice", given.substr(0, 60)), flag, std::move(choices));
}

/// "1600x1000"
Result<QSize> sizeFrom(const Flags& flags)
{
    const auto given = flags.value("--size");
    if (!given) {
        return usualSize;
    }
    const auto cross = given->find('x');
    if (cross == std::string::npos) {
        return notAChoice("--size", *given, "give width and height in pixels, such as 1600x1000");
    }
    const auto side = [&](const std::string& text) { return wholeNumber("--size", text, 1, largestSide); };
    const auto width = side(given->substr(0, cross));
    const auto height = side(given->substr(cross + 1));
    if (!width || !height) {
        return tl::unexpected<Error>(width ? height.error() : width.error());
    }
    return QSize(static_cast<int>(*width), static_cast<int>(*height));
}

Result<std::optional<Measurement>> measurementFrom(const Flags& flags)
{
    const auto path = flags.value("--calibration");
    if (!path) {
        return std::nullopt;
    }
    return readTextFile(*path, maximumTextFile, "a measurement")
        .and_then([&](const std::string& text) { return readMeasurement(text, *path); })
        .map([](Measurement measurement) { return std::optional(std::move(measurement)); });
}

Result<ExitCode> render(const Flags& flags)
{
    const std::string view = flags.value("--view").value_or("plan");
    if (view != "plan" && view != "measure") {
        return notAChoice("--view", view, "use plan or measure");
    }
    const std::string theme = flags.value("--theme").value_or("light");
    if (theme != "light" && theme != "dark") {
        return notAChoice("--theme", theme, "use light or dark");
    }
    const auto out = flags.value("--out");
    if (!out) {
        return failure(
            ErrorCode::InvalidValue, "no file is given", "--out", "name one that ends in .png, .svg or .pdf");
    }
    const auto size = sizeFrom(flags);
    if (!size) {
        return tl::unexpected<Error>(size.error());
    }
    const auto scenario = scenarioFrom(flags);
    if (!scenario) {
        return tl::unexpected<Error>(scenario.error());
    }
    const auto measurement = measurementFrom(flags);
    if (!measurement) {
        return tl::unexpected<Error>(measurement.error());
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const HushQt hush;
    int count = 1;
    char name[] = "kvplan";
    char* names[] = {name, nullptr};
    const QApplication application(count, names);
    return renderView(
        QString::fromStdString(view), *scenario, *measurement, *size, theme == "dark", QFile::decodeName(out->c_str()))
        .map([] { return Success; });
}

} // namespace

Result<ExitCode> runRender(const Arguments& arguments)
{
    Flags flags("render", "Write the picture that the window would show for a scenario.");
    flags.addValue("view", "NAME", "Which tab: plan or measure (plan unless given).", "Picture");
    flags.addValue("out", "FILE", "Where to; the ending says what: .png, .svg or .pdf.", "Picture");
    flags.addValue(
        "size", "WxH", fmt::format("Pixels ({}x{} unless given).", usualSize.width(), usualSize.height()), "Picture");
    flags.addValue("theme", "NAME", "light or dark (light unless given).", "Picture");
    flags.addValue("calibration", "FILE", "A saved measurement, which the measure view shows.", "Picture");
    addScenarioFlags(flags);
    return answer(flags, arguments, [&] { return render(flags); });
}

} // namespace kvplan::cli
