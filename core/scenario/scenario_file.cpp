// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_file.h"

#include "core/catalogue/accelerator_json.h"
#include "core/model/architecture_json.h"
#include "core/scenario/fields.h"
#include "core/text_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view schemaName = "kvplan-scenario";
constexpr int schemaVersion = 1;
constexpr std::string_view sayWhich = "open a file that kvplan saved";

std::int64_t lineAt(std::string_view text, std::size_t position)
{
    return 1 + std::ranges::count(text.substr(0, position), '\n');
}

/// Where the text first names `key`, for a message about its value.
std::string placeOf(std::string_view text, std::string_view where, std::string_view key)
{
    const auto position = text.find(fmt::format("\"{}\"", key));
    return position == std::string_view::npos ? std::string(where)
                                              : fmt::format("{} line {}", where, lineAt(text, position));
}

/// A JSON number or string as setText takes it.
std::string asText(const json& value)
{
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_number_float()) {
        return fmt::format("{}", value.get<double>());
    }
    return value.dump();
}

ordered_json fieldJson(const Scenario& scenario, const FieldSpec& field)
{
    const std::string value = text(scenario, field.field);
    switch (field.kind) {
    case FieldKind::Integer:
        return static_cast<std::int64_t>(*effective(scenario, field.field));
    case FieldKind::Real:
        return *effective(scenario, field.field);
    case FieldKind::Choice:
    case FieldKind::Distribution:
        break;
    }
    return value;
}

Result<void> readFields(Scenario& scenario, const json& object, std::string_view text, std::string_view where)
{
    for (const FieldSpec& field : fieldSpecs()) {
        const auto found = object.find(field.key);
        if (found == object.end()) {
            continue;
        }
        const bool number = field.kind == FieldKind::Integer || field.kind == FieldKind::Real;
        if (number ? !found->is_number() : !found->is_string()) {
            return failure(ErrorCode::Syntax, fmt::format("\"{}\" is not a {}", field.key, number ? "number" : "text"),
                placeOf(text, where, field.key), std::string(sayWhich));
        }
        if (auto set = setText(scenario, field.field, asText(*found)); !set) {
            Error error = set.error();
            error.where = fmt::format("{} ({})", placeOf(text, where, field.key), field.key);
            return tl::unexpected<Error>(std::move(error));
        }
    }
    return {};
}

} // namespace

std::string writeScenario(const ScenarioDocument& document)
{
    const Scenario& scenario = document.scenario;
    ordered_json root;
    root["schema"] = schemaName;
    root["version"] = schemaVersion;
    if (scenario.model) {
        root["model"] = toJson(*scenario.model);
    }
    if (scenario.accelerator) {
        root["accelerator"] = toJson(*scenario.accelerator);
    }
    for (const FieldSpec& field : fieldSpecs()) {
        if (isGiven(scenario, field.field)) {
            root[std::string(field.key)] = fieldJson(scenario, field);
        }
    }
    if (!document.unknownJson.empty()) {
        const ordered_json unknown = ordered_json::parse(document.unknownJson);
        for (const auto& [key, value] : unknown.items()) {
            root[key] = value;
        }
    }
    return root.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<ScenarioDocument> readScenario(std::string_view text, std::string_view where)
{
    json root;
    try {
        root = json::parse(text);
    } catch (const json::parse_error& error) {
        return failure(ErrorCode::Syntax, "this is not JSON",
            fmt::format("{} line {}", where, lineAt(text, error.byte == 0 ? 0 : error.byte - 1)),
            std::string(sayWhich));
    }
    if (!root.is_object() || root.value("schema", json()) != schemaName) {
        return failure(ErrorCode::Syntax, "this is not a kvplan scenario (no \"schema\": \"kvplan-scenario\")",
            fmt::format("{} line 1", where), std::string(sayWhich));
    }
    const json version = root.value("version", json());
    if (!version.is_number_integer() || version.get<std::int64_t>() < 1) {
        return failure(
            ErrorCode::Syntax, "the scenario has no version", placeOf(text, where, "version"), std::string(sayWhich));
    }
    if (version.get<std::int64_t>() > schemaVersion) {
        return failure(ErrorCode::Unsupported,
            fmt::format("the scenario is of version {} and this kvplan reads up to {}", version.get<std::int64_t>(),
                schemaVersion),
            placeOf(text, where, "version"), "open it with a newer kvplan");
    }

    ScenarioDocument document;
    const auto inPlace = [&](const Error& error, std::string_view key) {
        return failure(error.code, error.what,
            error.where.empty() ? placeOf(text, where, key)
                                : fmt::format("{} ({})", placeOf(text, where, key), error.where),
            error.mend);
    };
    if (root.contains("model")) {
        auto model = architectureFromJson(root["model"], "model");
        if (!model) {
            return inPlace(model.error(), "model");
        }
        document.scenario.model = std::move(*model);
    }
    if (root.contains("accelerator")) {
        auto accelerator = acceleratorFromJson(root["accelerator"], "accelerator");
        if (!accelerator) {
            return inPlace(accelerator.error(), "accelerator");
        }
        document.scenario.accelerator = std::move(*accelerator);
    }
    if (auto fields = readFields(document.scenario, root, text, where); !fields) {
        return tl::unexpected<Error>(fields.error());
    }
    if (document.scenario.prompt.has_value() != document.scenario.output.has_value()) {
        return failure(ErrorCode::Inconsistent, "a request mix needs both prompt and output lengths",
            placeOf(text, where, document.scenario.prompt ? "prompt" : "output"), "give both, or neither");
    }

    json unknown = json::object();
    for (const auto& [key, value] : root.items()) {
        const bool known = key == "schema" || key == "version" || key == "model" || key == "accelerator"
            || findField(key) != nullptr;
        if (!known) {
            unknown[key] = value;
        }
    }
    if (!unknown.empty()) {
        document.unknownJson = unknown.dump(-1, ' ', false, json::error_handler_t::replace);
    }
    return document;
}

Result<ScenarioDocument> loadScenario(const std::filesystem::path& path)
{
    const auto text = readTextFile(path, maximumTextFile, "a scenario");
    if (!text) {
        return tl::unexpected<Error>(text.error());
    }
    return readScenario(*text, path.string());
}

Result<void> saveScenario(const std::filesystem::path& path, const ScenarioDocument& document)
{
    return writeFile(path, writeScenario(document));
}

} // namespace kvplan
