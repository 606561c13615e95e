// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/field_members.h"
#include "core/scenario/fields.h"

#include "core/model/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace kvplan {

namespace {

constexpr std::array engines{Engine::Simple};

std::string joined(const std::vector<std::string_view>& names)
{
    return fmt::format("{}", fmt::join(names, ", "));
}

tl::unexpected<Error> refused(const FieldSpec& field, std::string_view value, std::string what, std::string mend)
{
    return failure(ErrorCode::InvalidValue, fmt::format("\"{}\" {}", value.substr(0, 60), what), std::string(field.key),
        std::move(mend));
}

std::string number(double value)
{
    return fmt::format("{}", value);
}

std::string rangeText(const FieldSpec& field)
{
    return fmt::format("give {} from {} to {}", field.kind == FieldKind::Integer ? "a whole number" : "a number",
        fmt::format("{:.10g}", field.minimum), fmt::format("{:.10g}", field.maximum));
}

std::string trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        return {};
    }
    return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// Whether every comma stands between groups of three digits, as in 1,048,576.
bool groupedByThousands(std::string_view text)
{
    const auto comma = text.find(',');
    if (comma == std::string_view::npos) {
        return true;
    }
    const std::string_view whole = text.substr(0, text.find('.'));
    std::size_t digits = 0;
    bool grouped = false;
    for (auto at = whole.rbegin(); at != whole.rend(); ++at) {
        if (*at == ',') {
            if (digits != 3) {
                return false;
            }
            digits = 0;
            grouped = true;
        } else {
            ++digits;
        }
    }
    return grouped && digits >= 1 && digits <= 3 && text.rfind(',') < whole.size();
}

/// A number with an optional k or M (powers of 1,024) behind it and commas between thousands.
std::optional<double> parseNumber(std::string_view text, bool allowSuffix)
{
    std::string plain = trimmed(text);
    double factor = 1;
    if (allowSuffix && !plain.empty()) {
        const char last = plain.back();
        if (last == 'k' || last == 'K') {
            factor = 1024;
        } else if (last == 'm' || last == 'M') {
            factor = 1048576;
        }
        if (factor != 1) {
            plain.pop_back();
            plain = trimmed(plain);
        }
    }
    if (!groupedByThousands(plain)) {
        return std::nullopt;
    }
    std::erase(plain, ',');
    const char* begin = plain.data() + (plain.starts_with('+') ? 1 : 0);
    const char* end = plain.data() + plain.size();
    double value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (begin == end || error != std::errc{} || stop != end || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value * factor;
}

Result<void> checkNumber(const FieldSpec& field, double value, std::string_view shown)
{
    if (!std::isfinite(value)) {
        return refused(field, shown, "is not a number", rangeText(field));
    }
    if (field.kind == FieldKind::Integer && value != std::floor(value)) {
        return refused(field, shown, "is not a whole number", rangeText(field));
    }
    if (value < field.minimum || value > field.maximum) {
        return refused(field, shown, value < field.minimum ? "is too small" : "is too large", rangeText(field));
    }
    return {};
}

} // namespace

std::vector<std::string_view> choices(Field field)
{
    std::vector<std::string_view> names;
    switch (field) {
    case Field::KeyFormat:
    case Field::ValueFormat:
        for (const CacheFormatInfo& format : cacheFormats()) {
            names.push_back(format.name);
        }
        break;
    case Field::EngineName:
        for (const Engine engine : engines) {
            names.push_back(name(engine));
        }
        break;
    case Field::WeightFormat:
        for (const std::string_view format : weightFormats()) {
            names.push_back(format);
        }
        break;
    default:
        break;
    }
    return names;
}

std::string text(const Scenario& scenario, Field field)
{
    switch (spec(field).kind) {
    case FieldKind::Integer: {
        const auto value = effective(scenario, field);
        return value ? fmt::format("{}", static_cast<std::int64_t>(*value)) : std::string();
    }
    case FieldKind::Real: {
        const auto value = effective(scenario, field);
        return value ? number(*value) : std::string();
    }
    case FieldKind::Distribution: {
        const auto& value = scenario.*std::get<std::optional<LengthDistribution> Scenario::*>(member(field));
        return value ? value->text() : std::string();
    }
    case FieldKind::Choice:
        break;
    }
    switch (field) {
    case Field::KeyFormat:
        return std::string(name(scenario.keyFormat));
    case Field::ValueFormat:
        return std::string(name(scenario.valueFormat));
    case Field::EngineName:
        return std::string(name(scenario.engine));
    default:
        if (scenario.weightFormat) {
            return *scenario.weightFormat;
        }
        return scenario.model && !scenario.model->weightFormat.empty() ? scenario.model->weightFormat : "bf16";
    }
}

Result<void> setNumber(Scenario& scenario, Field field, double value)
{
    const FieldSpec& description = spec(field);
    if (auto valid = checkNumber(description, value, number(value)); !valid) {
        return valid;
    }
    std::visit(
        [&](auto pointer) {
            using Value = std::remove_cvref_t<decltype(scenario.*pointer)>;
            if constexpr (std::is_same_v<Value, std::int64_t> || std::is_same_v<Value, std::optional<std::int64_t>>) {
                scenario.*pointer = static_cast<std::int64_t>(value);
            } else if constexpr (std::is_same_v<Value, double> || std::is_same_v<Value, std::optional<double>>) {
                scenario.*pointer = value;
            }
        },
        member(field));
    return {};
}

Result<void> setText(Scenario& scenario, Field field, std::string_view value)
{
    const FieldSpec& description = spec(field);
    const std::string plain = trimmed(value);
    switch (description.kind) {
    case FieldKind::Integer:
    case FieldKind::Real: {
        const auto parsed = parseNumber(plain, description.kind == FieldKind::Integer);
        if (!parsed) {
            return refused(description, value, "is not a number", rangeText(description));
        }
        if (auto valid = checkNumber(description, *parsed, plain); !valid) {
            return valid;
        }
        return setNumber(scenario, field, *parsed);
    }
    case FieldKind::Distribution: {
        auto distribution = LengthDistribution::parse(plain);
        if (!distribution) {
            Error error = distribution.error();
            error.where = error.where.empty() ? std::string(description.key) : error.where;
            return tl::unexpected<Error>(std::move(error));
        }
        scenario.*std::get<std::optional<LengthDistribution> Scenario::*>(member(field)) = std::move(*distribution);
        return {};
    }
    case FieldKind::Choice:
        break;
    }
    std::string wanted = plain;
    std::ranges::transform(wanted, wanted.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::vector<std::string_view> names = choices(field);
    if (std::ranges::find(names, wanted) == names.end()) {
        return refused(description, value, "is not a choice", "use one of " + joined(names));
    }
    switch (field) {
    case Field::KeyFormat:
        scenario.keyFormat = *cacheFormatFromName(wanted);
        break;
    case Field::ValueFormat:
        scenario.valueFormat = *cacheFormatFromName(wanted);
        break;
    case Field::EngineName:
        scenario.engine = *std::ranges::find(engines, wanted, [](Engine engine) { return name(engine); });
        break;
    default:
        scenario.weightFormat = wanted;
        break;
    }
    return {};
}

} // namespace kvplan
