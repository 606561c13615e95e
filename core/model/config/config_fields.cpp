// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/config_fields.h"

#include "core/model/config/class_defaults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace kvplan {

using nlohmann::json;

namespace {

/// Where multimodal and wrapped models keep their language model.
constexpr std::array<std::string_view, 8> wrappers{"text_config", "llm_config", "language_config", "language_model",
    "text_model_config", "thinker_config", "llama_config", "text_model"};

const json* member(const json& object, std::string_view key)
{
    if (const auto whole = object.find(key); whole != object.end()) {
        return &*whole;
    }
    const auto dot = key.find('.');
    if (dot == std::string_view::npos) {
        return nullptr;
    }
    const auto outer = object.find(key.substr(0, dot));
    return outer != object.end() && outer->is_object() ? member(*outer, key.substr(dot + 1)) : nullptr;
}

const json* wrappedModel(const json& object)
{
    for (const std::string_view key : wrappers) {
        if (const json* inner = member(object, key); inner != nullptr && inner->is_object() && !inner->empty()) {
            return inner;
        }
    }
    return nullptr;
}

std::string shown(const json& value)
{
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return text.size() > 40 ? text.substr(0, 40) + "…" : text;
}

} // namespace

ConfigFields::ConfigFields(const json& root, std::string_view where)
    : m_where(where)
{
    for (const json* object = &root; object != nullptr; object = wrappedModel(*object)) {
        m_objects.insert(m_objects.begin(), object);
    }
    for (const json* object : m_objects) {
        const json* type = member(*object, "model_type");
        if (type != nullptr && type->is_string()) {
            m_modelType = type->get<std::string>();
            break;
        }
    }
    m_defaults = classDefaults(m_modelType);
}

bool ConfigFields::isFamily(Keys prefixes) const
{
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) {
        return m_modelType == prefix || (m_modelType.starts_with(prefix) && m_modelType[prefix.size()] == '_');
    });
}

ConfigFields::Found ConfigFields::locate(Keys keys)
{
    bool switchedOff = false;
    for (const std::string_view key : keys) {
        if (const json* value = member(*m_objects.front(), key)) {
            if (!value->is_null()) {
                return {key, value};
            }
            switchedOff = true;
        }
    }
    if (switchedOff) {
        return {};
    }
    for (const std::string_view key : keys) {
        if (const auto value = m_defaults.find(key); value != m_defaults.end()) {
            warn(fmt::format(
                "{} is not in the file and the default of {}, {}, stands in", key, m_modelType, shown(*value)));
            return {key, &*value};
        }
    }
    return {};
}

const json* ConfigFields::find(Keys keys)
{
    return locate(keys).value;
}

const json* ConfigFields::findOuter(Keys keys)
{
    for (const json* object : m_objects) {
        for (const std::string_view key : keys) {
            if (const json* value = member(*object, key); value != nullptr && !value->is_null()) {
                return value;
            }
        }
    }
    return nullptr;
}

std::optional<std::int64_t> ConfigFields::checkCount(
    std::string_view key, const json& value, std::int64_t minimum, std::int64_t maximum)
{
    const double number = value.is_number() ? value.get<double>() : 0.5;
    if (!value.is_number() || number != std::floor(number)) {
        fail(ErrorCode::InvalidValue, key, fmt::format("{} is {} and not a whole number", key, shown(value)));
        return std::nullopt;
    }
    if (number < static_cast<double>(minimum) || number > static_cast<double>(maximum)) {
        fail(ErrorCode::InvalidValue, key,
            fmt::format("{} is {} and not between {} and {}", key, shown(value), minimum, maximum));
        return std::nullopt;
    }
    return static_cast<std::int64_t>(number);
}

std::optional<std::int64_t> ConfigFields::count(Keys keys, std::int64_t minimum, std::int64_t maximum)
{
    const Found found = locate(keys);
    return found.value == nullptr ? std::nullopt : checkCount(found.key, *found.value, minimum, maximum);
}

std::int64_t ConfigFields::count(Keys keys, std::int64_t minimum, std::int64_t maximum, std::int64_t fallback)
{
    return count(keys, minimum, maximum).value_or(fallback);
}

std::int64_t ConfigFields::required(Keys keys, std::int64_t minimum, std::int64_t maximum)
{
    const Found found = locate(keys);
    if (found.value == nullptr) {
        const std::string_view key = *keys.begin();
        fail(ErrorCode::Syntax, key, fmt::format("{} is missing", key));
        return minimum;
    }
    return checkCount(found.key, *found.value, minimum, maximum).value_or(minimum);
}

std::optional<bool> ConfigFields::flag(Keys keys)
{
    const Found found = locate(keys);
    if (found.value == nullptr) {
        return std::nullopt;
    }
    if (found.value->is_boolean()) {
        return found.value->get<bool>();
    }
    if (const auto number = checkCount(found.key, *found.value, 0, 1)) {
        return *number == 1;
    }
    return std::nullopt;
}

std::optional<std::string> ConfigFields::text(Keys keys)
{
    const Found found = locate(keys);
    if (found.value == nullptr) {
        return std::nullopt;
    }
    if (!found.value->is_string()) {
        fail(
            ErrorCode::InvalidValue, found.key, fmt::format("{} is {} and not a text", found.key, shown(*found.value)));
        return std::nullopt;
    }
    return found.value->get<std::string>();
}

std::vector<std::int64_t> ConfigFields::counts(Keys keys, std::int64_t minimum, std::int64_t maximum)
{
    std::vector<std::int64_t> numbers;
    const Found found = locate(keys);
    if (found.value == nullptr) {
        return numbers;
    }
    if (!found.value->is_array() || found.value->size() > static_cast<std::size_t>(2 * mostLayers)) {
        fail(ErrorCode::InvalidValue, found.key, fmt::format("{} is not a list of whole numbers", found.key));
        return numbers;
    }
    for (const json& value : *found.value) {
        const auto number
            = checkCount(found.key, value.is_boolean() ? json(value.get<bool>() ? 1 : 0) : value, minimum, maximum);
        if (!number) {
            return {};
        }
        numbers.push_back(*number);
    }
    return numbers;
}

void ConfigFields::fail(ErrorCode code, std::string_view key, std::string what)
{
    if (!m_error) {
        const std::string mend = code == ErrorCode::Unsupported
            ? "give the shape by flags, or choose a model of the catalogue"
            : fmt::format("correct {} in the file, or download it again", key);
        m_error = Error{code, std::move(what), m_where, mend};
    }
}

void ConfigFields::warn(std::string warning)
{
    if (std::ranges::find(m_warnings, warning) == m_warnings.end()) {
        m_warnings.push_back(std::move(warning));
    }
}

} // namespace kvplan
