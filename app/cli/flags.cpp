// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/flags.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace kvplan::cli {

namespace {

constexpr std::size_t helpColumn = 32;

tl::unexpected<Error> missingValue(const std::string& flag)
{
    return failure(ErrorCode::InvalidValue, "no value is given", flag, "write the value after it");
}

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

Flags::Flags(std::string_view verb, const std::string& purpose)
    : m_verb(verb)
    , m_app(std::make_unique<CLI::App>(purpose, fmt::format("kvplan {}", verb)))
{
    m_app->allow_extras();
    m_app->get_formatter()->column_width(helpColumn);
    m_app->set_help_flag("-h,--help", "Show this help.");
}

Flags::~Flags() = default;

void Flags::addValue(
    const std::string& name, const std::string& type, const std::string& help, const std::string& group)
{
    m_app->add_option("--" + name, CLI::callback_t(), help)
        ->type_name(type)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)
        ->group(group);
}

void Flags::addSwitch(const std::string& name, const std::string& help, const std::string& group)
{
    m_app->add_flag("--" + name, help)->group(group);
}

void Flags::addPositional(const std::string& name, const std::string& help)
{
    m_app->add_option(name, CLI::callback_t(), help)->type_name("");
}

bool Flags::asksForHelp(const Arguments& arguments)
{
    return std::ranges::any_of(
        arguments, [](const std::string& argument) { return argument == "--help" || argument == "-h"; });
}

std::string Flags::help() const
{
    std::string text = m_app->help();
    for (auto gap = text.find("\n\n\n"); gap != std::string::npos; gap = text.find("\n\n\n", gap)) {
        text.erase(gap, 1);
    }
    return text;
}

Result<void> Flags::parse(const Arguments& arguments)
{
    for (const std::string& argument : arguments) {
        if (argument.starts_with("--") && argument.ends_with('=') && argument.find('=') == argument.size() - 1) {
            return missingValue(argument.substr(0, argument.size() - 1));
        }
    }
    try {
        m_app->parse(Arguments(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ArgumentMismatch&) {
        return missingValue(arguments.back());
    } catch (const CLI::ParseError& error) {
        return failure(ErrorCode::InvalidValue, fmt::format("the flags cannot be read ({})", error.what()),
            "kvplan " + m_verb, fmt::format("see kvplan {} --help", m_verb));
    }
    if (auto known = checkNames(); !known) {
        return known;
    }
    return checkValues();
}

Result<void> Flags::checkNames() const
{
    const Arguments unknown = m_app->remaining();
    if (unknown.empty()) {
        return {};
    }
    const std::string& first = unknown.front();
    const std::string name = first.substr(0, first.find('='));
    return failure(ErrorCode::InvalidValue,
        fmt::format("\"{}\" is not {}", name, name.starts_with('-') ? "a flag" : "expected"),
        fmt::format("kvplan {}", m_verb), mendName(name));
}

Result<void> Flags::checkValues() const
{
    for (const CLI::Option* option : m_app->get_options()) {
        if (option->count() == 0) {
            continue;
        }
        const std::string name = option->get_name();
        if (option->get_items_expected_max() == 0) {
            if (option->results().front() != "true") {
                return failure(ErrorCode::InvalidValue, "the flag takes no value", name, "write it alone");
            }
            continue;
        }
        if (option->count() > 1) {
            return failure(ErrorCode::InvalidValue, fmt::format("the flag is given {} times", option->count()), name,
                "give it once");
        }
        const std::string& text = option->results().front();
        if (text.empty() || text.starts_with("--")) {
            return missingValue(name);
        }
    }
    return {};
}

std::string Flags::mendName(const std::string& unknown) const
{
    std::string nearest;
    std::size_t least = std::max<std::size_t>(1, unknown.size() / 4) + 1;
    for (const CLI::Option* option : m_app->get_options()) {
        const std::string name = option->get_name();
        const std::size_t distance = editDistance(unknown, name);
        if (distance < least && !option->get_group().empty() && name.starts_with("--")) {
            least = distance;
            nearest = name;
        }
    }
    const std::string list = fmt::format("see kvplan {} --help", m_verb);
    return nearest.empty() ? list : fmt::format("did you mean {}? {}", nearest, list);
}

std::optional<std::string> Flags::value(const std::string& name) const
{
    const CLI::Option* option = m_app->get_option_no_throw(name);
    return option == nullptr || option->count() == 0 ? std::nullopt : std::optional(option->results().front());
}

bool Flags::isSet(const std::string& name) const
{
    return m_app->count(name) > 0;
}

Result<std::int64_t> wholeNumber(
    const std::string& flag, const std::string& text, std::int64_t minimum, std::int64_t maximum)
{
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || value < minimum || value > maximum) {
        return failure(ErrorCode::InvalidValue,
            fmt::format("\"{}\" is not a whole number in range", text.substr(0, 60)), flag,
            fmt::format("give a whole number from {} to {}", minimum, maximum));
    }
    return value;
}

} // namespace kvplan::cli
