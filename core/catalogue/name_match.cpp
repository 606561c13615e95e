// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/name_match.h"

#include <fmt/format.h>

#include <cctype>
#include <string>

namespace kvplan {

namespace {

constexpr std::size_t mostListed = 12;

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words;
    bool inWord = false;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool part = std::isalnum(byte) != 0 || byte >= 0x80;
        if (part && !inWord) {
            words.emplace_back();
        }
        if (part) {
            words.back() += static_cast<char>(std::tolower(byte));
        }
        inWord = part;
    }
    return words;
}

std::string joined(const std::vector<std::string>& words)
{
    return fmt::format("{}", fmt::join(words, ""));
}

bool beginsInOrder(const std::vector<std::string>& name, const std::vector<std::string>& query)
{
    std::size_t at = 0;
    for (const std::string& word : query) {
        while (at < name.size() && !name[at].starts_with(word)) {
            ++at;
        }
        if (at == name.size()) {
            return false;
        }
        ++at;
    }
    return true;
}

} // namespace

Result<std::size_t> matchName(const std::vector<std::string_view>& names, std::string_view query, std::string_view what)
{
    const std::vector<std::string> wanted = wordsOf(query);
    if (wanted.empty()) {
        return failure(ErrorCode::InvalidValue, fmt::format("\"{}\" names no {}", query.substr(0, 60), what), "",
            fmt::format("kvplan {}s lists them", what));
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::vector<std::string> words = wordsOf(names[i]);
        if (joined(words) == joined(wanted)) {
            return i;
        }
        if (beginsInOrder(words, wanted)) {
            found.push_back(i);
        }
    }
    if (found.size() == 1) {
        return found.front();
    }
    if (found.empty()) {
        return failure(ErrorCode::NotFound, fmt::format("there is no {} \"{}\"", what, query.substr(0, 60)), "",
            fmt::format("kvplan {}s lists them", what));
    }
    std::string list;
    for (std::size_t i = 0; i < found.size() && i < mostListed; ++i) {
        list += (i == 0 ? "" : ", ") + std::string(names[found[i]]);
    }
    if (found.size() > mostListed) {
        list += fmt::format(" and {} more", found.size() - mostListed);
    }
    return failure(ErrorCode::Ambiguous, fmt::format("\"{}\" means {} {}s", query.substr(0, 60), found.size(), what),
        "", "say which: " + list);
}

} // namespace kvplan
