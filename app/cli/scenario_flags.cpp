// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scenario_flags.h"

#include "core/model/read_architecture.h"
#include "core/plan/words.h"
#include "core/scenario/fields.h"
#include "core/scenario/scenario_file.h"
#include "ui/panel/bundled_catalogue.h"

#include <fmt/format.h>

namespace kvplan::cli {

namespace {

constexpr std::string_view simpleEngineVersion = "1";
constexpr std::size_t helpWidth = 76;

std::string groupName(FieldGroup group)
{
    switch (group) {
    case FieldGroup::Model:
        return "Model";
    case FieldGroup::Cache:
        return "Cache";
    case FieldGroup::Workload:
        return "Workload";
    case FieldGroup::Accelerator:
        return "Accelerator";
    case FieldGroup::Engine:
        return "Engine";
    case FieldGroup::Parallelism:
        return "Parallelism";
    }
    return {};
}

std::string typeName(FieldKind kind)
{
    switch (kind) {
    case FieldKind::Integer:
        return "N";
    case FieldKind::Real:
        return "X";
    case FieldKind::Choice:
        return "NAME";
    case FieldKind::Distribution:
        return "DIST";
    }
    return {};
}

/// A number of the field as people write it.
std::string shown(const FieldSpec& field, double value)
{
    return field.kind == FieldKind::Integer ? grouped(static_cast<std::int64_t>(value)) : fmt::format("{:.10g}", value);
}

std::string rangeOf(const FieldSpec& field)
{
    switch (field.kind) {
    case FieldKind::Integer:
    case FieldKind::Real: {
        const bool plain = field.unit.empty() || field.unit == "×";
        return fmt::format("{} to {}{}{}", shown(field, field.minimum), shown(field, field.maximum), plain ? "" : " ",
            plain ? "" : field.unit);
    }
    case FieldKind::Choice:
        return field.group == FieldGroup::Cache ? "kvplan formats lists them"
                                                : fmt::format("one of {}", fmt::join(choices(field.field), ", "));
    case FieldKind::Distribution:
        break;
    }
    return {};
}

/// "1 to 512; 32 unless given", as far as the field's own sentence leaves it open.
std::string rangeAndDefault(const FieldSpec& field)
{
    const std::string range = rangeOf(field);
    const std::optional<double> number = effective(Scenario{}, field.field);
    const std::string standing = number ? shown(field, *number) : text(Scenario{}, field.field);
    if (standing.empty() || field.help.find("unless given") != std::string_view::npos) {
        return range;
    }
    return fmt::format("{}; {} unless given", range, standing);
}

std::string wrapped(const std::string& text)
{
    std::string result;
    std::size_t begin = 0;
    while (text.size() - begin > helpWidth) {
        const std::size_t space = text.rfind(' ', begin + helpWidth);
        if (space == std::string::npos || space <= begin) {
            break;
        }
        result += text.substr(begin, space - begin) + "\n";
        begin = space + 1;
    }
    return result + text.substr(begin);
}

std::string helpOf(const FieldSpec& field)
{
    const std::string range = rangeAndDefault(field);
    return wrapped(range.empty() ? std::string(field.help) : fmt::format("{} ({})", field.help, range));
}

/// The same failure, said about a flag.
tl::unexpected<Error> about(const std::string& flag, Error error)
{
    error.where = flag;
    return tl::unexpected<Error>(std::move(error));
}

Result<void> applyModel(Scenario& scenario, const Flags& flags)
{
    const auto name = flags.value("--model");
    const auto path = flags.value("--config");
    if (name && path) {
        return failure(ErrorCode::Inconsistent, "the model is given twice", "--model and --config", "give one of them");
    }
    if (!name && !path) {
        return {};
    }
    if (path) {
        return readArchitecture(*path).map([&](Architecture model) { chooseModel(scenario, std::move(model)); });
    }
    const auto& known = bundledCatalogue();
    if (!known) {
        return tl::unexpected<Error>(known.error());
    }
    auto model = known->findModel(*name);
    if (!model) {
        return about("--model", model.error());
    }
    chooseModel(scenario, std::move(*model));
    return {};
}

Result<void> applyAccelerator(Scenario& scenario, const Flags& flags)
{
    const auto name = flags.value("--accelerator");
    if (!name) {
        return {};
    }
    const auto& known = bundledCatalogue();
    if (!known) {
        return tl::unexpected<Error>(known.error());
    }
    auto card = known->findAccelerator(*name);
    if (!card) {
        return about("--accelerator", card.error());
    }
    chooseAccelerator(scenario, std::move(*card));
    return {};
}

Result<void> applyFields(Scenario& scenario, const Flags& flags)
{
    if (const auto format = flags.value("--kv-format")) {
        for (const Field field : {Field::KeyFormat, Field::ValueFormat}) {
            if (auto set = setText(scenario, field, *format); !set) {
                return about("--kv-format", set.error());
            }
        }
    }
    for (const FieldSpec& field : fieldSpecs()) {
        const std::string flag = fmt::format("--{}", field.key);
        if (const auto given = flags.value(flag)) {
            if (auto set = setText(scenario, field.field, *given); !set) {
                return about(flag, set.error());
            }
        }
    }
    return {};
}

Result<void> checkEngine(const Scenario& scenario, const Flags& flags)
{
    if (flags.value("--memory-fraction")) {
        return failure(ErrorCode::Unsupported,
            fmt::format("the {} engine has no memory fraction", name(scenario.engine)), "--memory-fraction",
            "give --headroom-percent, the share that is kept free");
    }
    const auto version = flags.value("--engine-version");
    if (version && *version != simpleEngineVersion) {
        return failure(ErrorCode::NotFound,
            fmt::format("there is no version \"{}\" of the {} engine", version->substr(0, 60), name(scenario.engine)),
            "--engine-version", fmt::format("give {}, or leave it out", simpleEngineVersion));
    }
    return {};
}

Result<void> checkMix(const Scenario& scenario)
{
    if (scenario.prompt.has_value() == scenario.output.has_value()) {
        return {};
    }
    const std::string given = scenario.prompt ? "--prompt" : "--output";
    const std::string missing = scenario.prompt ? "--output" : "--prompt";
    return failure(ErrorCode::Inconsistent, "a request mix needs both prompt and output lengths", given,
        fmt::format("give {} too", missing));
}

} // namespace

void addScenarioFlags(Flags& flags)
{
    flags.addValue("scenario", "FILE", "A scenario saved by the window; every flag beside it wins.", "Scenario");
    flags.addValue("model", "NAME", "A model of the catalogue (kvplan models lists them).", "Model");
    flags.addValue("config", "PATH", "The model's own config.json or params.json, or a folder with one.", "Model");
    flags.addValue(
        "kv-format", "NAME", "Element format of cached keys and values alike (kvplan formats lists them).", "Cache");
    flags.addValue("accelerator", "NAME", "A card of the catalogue (kvplan accelerators lists them).", "Accelerator");
    for (const FieldSpec& field : fieldSpecs()) {
        flags.addValue(std::string(field.key), typeName(field.kind), helpOf(field), groupName(field.group));
    }
    flags.addValue("engine-version", "V",
        fmt::format("Version of the engine's rules ({} unless given).", simpleEngineVersion), "Engine");
    flags.addValue("memory-fraction", "X", "The engine's own fraction of memory.", "");
}

Result<Scenario> scenarioFrom(const Flags& flags)
{
    Scenario scenario;
    if (const auto path = flags.value("--scenario")) {
        auto document = loadScenario(*path);
        if (!document) {
            return tl::unexpected<Error>(document.error());
        }
        scenario = std::move(document->scenario);
    }
    for (const auto& apply : {applyModel, applyAccelerator, applyFields}) {
        if (auto applied = apply(scenario, flags); !applied) {
            return tl::unexpected<Error>(applied.error());
        }
    }
    if (auto engine = checkEngine(scenario, flags); !engine) {
        return tl::unexpected<Error>(engine.error());
    }
    if (auto mix = checkMix(scenario); !mix) {
        return tl::unexpected<Error>(mix.error());
    }
    return scenario;
}

} // namespace kvplan::cli
