// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/catalogue.h"

#include "core/catalogue/accelerator_json.h"
#include "core/model/architecture_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <set>

namespace kvplan {

using nlohmann::json;

namespace {

constexpr std::string_view mend = "install kvplan again";

/// The list under `key` of a catalogue's text, each entry read by `read`; a name may stand there once.
template <class Entry>
Result<std::vector<Entry>> readList(
    std::string_view text, const char* key, Result<Entry> (*read)(const json&, std::string_view))
{
    const json root = json::parse(text, nullptr, false);
    const auto list = root.is_object() ? root.find(key) : root.end();
    if (!root.is_object() || list == root.end() || !list->is_array()) {
        return failure(ErrorCode::Syntax, fmt::format("the catalogue has no list of {}", key), key, std::string(mend));
    }
    std::vector<Entry> entries;
    std::set<std::string> names;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string where = fmt::format("{}[{}]", key, i);
        auto entry = read((*list)[i], where);
        if (!entry) {
            return tl::unexpected<Error>(entry.error());
        }
        if (!names.insert(entry->name).second) {
            return failure(ErrorCode::Inconsistent, fmt::format("\"{}\" stands there twice", entry->name), where,
                std::string(mend));
        }
        entries.push_back(std::move(*entry));
    }
    return entries;
}

/// Words between spaces and punctuation, lower case.
std::vector<std::string> wordsOf(std::string_view name)
{
    std::vector<std::string> words;
    bool inside = false;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        const bool belongs = std::isalnum(byte) != 0 || byte >= 0x80;
        if (belongs && !inside) {
            words.emplace_back();
        }
        if (belongs) {
            words.back() += static_cast<char>(std::tolower(byte));
        }
        inside = belongs;
    }
    return words;
}

/// Letters and digits alone, lower case.
std::string squeezed(std::string_view name)
{
    return fmt::format("{}", fmt::join(wordsOf(name), ""));
}

/// Whether every word of the query begins a word of the name, in order.
bool wordsMatch(const std::vector<std::string>& query, const std::vector<std::string>& name)
{
    auto word = name.begin();
    for (const std::string& wanted : query) {
        word = std::find_if(word, name.end(), [&](const std::string& w) { return w.starts_with(wanted); });
        if (word == name.end()) {
            return false;
        }
        ++word;
    }
    return !query.empty();
}

template <class Entry>
Result<Entry> find(
    const std::vector<Entry>& entries, std::string_view query, std::string_view what, std::string_view list)
{
    std::vector<const Entry*> found;
    for (const Entry& entry : entries) {
        if (squeezed(entry.name) == squeezed(query) && !squeezed(query).empty()) {
            return entry;
        }
        if (wordsMatch(wordsOf(query), wordsOf(entry.name))) {
            found.push_back(&entry);
        }
    }
    if (found.size() == 1) {
        return *found.front();
    }
    const std::string where = fmt::format("\"{}\"", query);
    if (found.empty()) {
        return failure(ErrorCode::NotFound, fmt::format("no {} of the catalogue has this name", what), where,
            fmt::format("see kvplan {}", list));
    }
    constexpr std::size_t most = 12;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(found.size(), most); ++i) {
        names.push_back(found[i]->name);
    }
    const std::string rest = found.size() > most ? fmt::format(" and {} more", found.size() - most) : "";
    return failure(ErrorCode::Ambiguous, fmt::format("{} {}s have such a name", found.size(), what), where,
        fmt::format("say which: {}{}", fmt::join(names, ", "), rest));
}

} // namespace

Result<Catalogue> Catalogue::parse(std::string_view modelsJson, std::string_view acceleratorsJson)
{
    Catalogue catalogue;
    auto models = readList<Architecture>(modelsJson, "models", architectureFromJson);
    if (!models) {
        return tl::unexpected<Error>(models.error());
    }
    auto accelerators = readList<Accelerator>(acceleratorsJson, "accelerators", acceleratorFromJson);
    if (!accelerators) {
        return tl::unexpected<Error>(accelerators.error());
    }
    catalogue.m_models = std::move(*models);
    catalogue.m_accelerators = std::move(*accelerators);
    return catalogue;
}

Result<Architecture> Catalogue::findModel(std::string_view query) const
{
    return find(m_models, query, "model", "models");
}

Result<Accelerator> Catalogue::findAccelerator(std::string_view query) const
{
    return find(m_accelerators, query, "card", "accelerators");
}

} // namespace kvplan
