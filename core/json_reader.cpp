// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json_reader.h"

#include <fmt/format.h>

#include <cmath>

namespace kvplan {

using nlohmann::json;

namespace {

const json null;

} // namespace

JsonReader::JsonReader(const json& object, std::string_view where)
    : m_object(object)
    , m_where(where)
{
    if (!object.is_object()) {
        m_error = Error{ErrorCode::Syntax, "this is not an object", m_where, "use a file that kvplan wrote"};
    }
}

bool JsonReader::has(std::string_view key) const
{
    const auto found = m_object.is_object() ? m_object.find(key) : m_object.end();
    return found != m_object.end() && !found->is_null();
}

std::string JsonReader::path(std::string_view key) const
{
    return m_where.empty() ? std::string(key) : fmt::format("{}.{}", m_where, key);
}

void JsonReader::fail(std::string_view key, std::string what)
{
    if (!m_error) {
        m_error = Error{
            ErrorCode::Syntax, std::move(what), path(key), "correct the figure, or use a file that kvplan wrote"};
    }
}

void JsonReader::adopt(const Error& error)
{
    if (!m_error) {
        m_error = error;
    }
}

const json& JsonReader::member(std::string_view key)
{
    if (!has(key)) {
        fail(key, "it is missing");
        return null;
    }
    return *m_object.find(key);
}

std::optional<std::int64_t> JsonReader::optionalInteger(
    std::string_view key, std::int64_t minimum, std::int64_t maximum)
{
    if (!has(key)) {
        return std::nullopt;
    }
    const json& value = member(key);
    double number = 0;
    if (value.is_number()) {
        number = value.get<double>();
    }
    if (!value.is_number() || number != std::floor(number)) {
        fail(key, "it is not a whole number");
        return std::nullopt;
    }
    if (number < static_cast<double>(minimum) || number > static_cast<double>(maximum)) {
        fail(key, fmt::format("{:.10g} is not between {} and {}", number, minimum, maximum));
        return std::nullopt;
    }
    return value.is_number_float() ? static_cast<std::int64_t>(number) : value.get<std::int64_t>();
}

std::int64_t JsonReader::integer(
    std::string_view key, std::int64_t minimum, std::int64_t maximum, std::int64_t fallback)
{
    return optionalInteger(key, minimum, maximum).value_or(fallback);
}

std::int64_t JsonReader::integer(std::string_view key, std::int64_t minimum, std::int64_t maximum)
{
    if (!has(key)) {
        fail(key, "it is missing");
    }
    return integer(key, minimum, maximum, minimum);
}

double JsonReader::real(std::string_view key, double minimum, double maximum, double fallback)
{
    if (!has(key)) {
        return fallback;
    }
    const json& value = member(key);
    if (!value.is_number()) {
        fail(key, "it is not a number");
        return fallback;
    }
    const auto number = value.get<double>();
    if (!(number >= minimum && number <= maximum)) {
        fail(key, fmt::format("{:.10g} is not between {:.10g} and {:.10g}", number, minimum, maximum));
        return fallback;
    }
    return number;
}

std::string JsonReader::text(std::string_view key, std::string_view fallback)
{
    if (!has(key)) {
        return std::string(fallback);
    }
    const json& value = member(key);
    if (!value.is_string()) {
        fail(key, "it is not text");
        return std::string(fallback);
    }
    return value.get<std::string>();
}

std::string JsonReader::text(std::string_view key)
{
    if (!has(key)) {
        fail(key, "it is missing");
    }
    return text(key, "");
}

} // namespace kvplan
