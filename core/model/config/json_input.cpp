// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/json_input.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace kvplan {

namespace {

constexpr int deepest = 64;
constexpr std::array<std::string_view, 3> bareWords{"-Infinity", "Infinity", "NaN"};

std::int64_t lineAt(std::string_view text, std::size_t position)
{
    return 1 + std::ranges::count(text.substr(0, std::min(position, text.size())), '\n');
}

std::string place(std::string_view where, std::string_view text, std::size_t position)
{
    return fmt::format("{} line {}", where, lineAt(text, position));
}

/// Position just behind the string that opens at `open`.
std::size_t endOfString(std::string_view text, std::size_t open)
{
    for (std::size_t i = open + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            return i + 1;
        }
    }
    return text.size();
}

/// The text with its bare words in quotes, so that a reader meets a text where it wants a number; or the position of a
/// bracket that nests too deep.
tl::expected<std::string, std::size_t> makeStrict(std::string_view text)
{
    std::string strict;
    strict.reserve(text.size());
    int depth = 0;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        std::size_t length = c == '"' ? endOfString(text, i) - i : 1;
        const auto* word
            = std::ranges::find_if(bareWords, [&](std::string_view w) { return text.substr(i).starts_with(w); });
        if (word != bareWords.end()) {
            length = word->size();
            strict.append("\"").append(*word).append("\"");
        } else {
            strict.append(text.substr(i, length));
        }
        if ((c == '{' || c == '[') && ++depth > deepest) {
            return tl::unexpected<std::size_t>(i);
        }
        depth -= c == '}' || c == ']' ? 1 : 0;
        i += length;
    }
    return strict;
}

} // namespace

Result<nlohmann::json> parseJsonObject(std::string_view text, std::string_view where)
{
    constexpr std::string_view mend = "give a model's own config.json";
    if (std::ranges::all_of(text, [](unsigned char c) { return std::isspace(c) != 0; })) {
        return failure(ErrorCode::Syntax, "the file is empty", std::string(where), std::string(mend));
    }
    const auto strict = makeStrict(text);
    if (!strict) {
        return failure(ErrorCode::Syntax, fmt::format("it nests deeper than {} levels", deepest),
            place(where, text, strict.error()), std::string(mend));
    }
    try {
        auto json = nlohmann::json::parse(*strict);
        if (!json.is_object()) {
            return failure(ErrorCode::Syntax, fmt::format("it holds a JSON {} and not an object", json.type_name()),
                std::string(where), std::string(mend));
        }
        return json;
    } catch (const nlohmann::json::parse_error& error) {
        return failure(ErrorCode::Syntax, "this is not JSON",
            place(where, *strict, error.byte > 0 ? error.byte - 1 : 0), "correct the line, or download the file again");
    } catch (const nlohmann::json::exception&) {
        return failure(
            ErrorCode::Syntax, "it holds a number that no machine can hold", std::string(where), std::string(mend));
    }
}

} // namespace kvplan
