// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/catalogue.h"

#include "core/catalogue/accelerator_json.h"
#include "core/catalogue/name_match.h"
#include "core/model/architecture_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kvplan {

using nlohmann::json;

namespace {

/// The entries of {"<key>": [...]}, each read by `read`.
template <class Entry, class Read>
Result<std::vector<Entry>> parseList(std::string_view text, const char* key, Read read)
{
    const json root = json::parse(text, nullptr, false);
    if (!root.is_object() || !root.contains(key) || !root[key].is_array()) {
        return failure(ErrorCode::Syntax, fmt::format("the catalogue has no list of {}", key), key, "reinstall kvplan");
    }
    std::vector<Entry> entries;
    entries.reserve(root[key].size());
    for (const json& item : root[key]) {
        auto entry = read(item, fmt::format("{}[{}]", key, entries.size()));
        if (!entry) {
            return tl::unexpected<Error>(entry.error());
        }
        entries.push_back(std::move(*entry));
    }
    return entries;
}

template <class Entry>
Result<Entry> find(const std::vector<Entry>& entries, std::string_view query, std::string_view what)
{
    std::vector<std::string_view> names;
    names.reserve(entries.size());
    for (const Entry& entry : entries) {
        names.push_back(entry.name);
    }
    return matchName(names, query, what).map([&](std::size_t index) { return entries[index]; });
}

} // namespace

Result<Catalogue> Catalogue::parse(std::string_view modelsJson, std::string_view acceleratorsJson)
{
    auto models = parseList<Architecture>(modelsJson, "models",
        [](const json& item, const std::string& where) { return architectureFromJson(item, where); });
    if (!models) {
        return tl::unexpected<Error>(models.error());
    }
    auto accelerators = parseList<Accelerator>(acceleratorsJson, "accelerators",
        [](const json& item, const std::string& where) { return acceleratorFromJson(item, where); });
    if (!accelerators) {
        return tl::unexpected<Error>(accelerators.error());
    }
    Catalogue catalogue;
    catalogue.m_models = std::move(*models);
    catalogue.m_accelerators = std::move(*accelerators);
    return catalogue;
}

Result<Architecture> Catalogue::findModel(std::string_view query) const
{
    return find(m_models, query, "model");
}

Result<Accelerator> Catalogue::findAccelerator(std::string_view query) const
{
    return find(m_accelerators, query, "accelerator");
}

} // namespace kvplan
