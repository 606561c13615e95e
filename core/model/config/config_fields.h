// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvplan {

/// Spellings of one figure, the first that is there wins. "a.b" is the member b of the object a.
using Keys = std::initializer_list<std::string_view>;

// Bounds of any model's figures; beyond them a figure is refused.
constexpr std::int64_t mostLayers = 10'000;
constexpr std::int64_t mostHeads = 65'536;
constexpr std::int64_t mostWidth = 1'000'000;
constexpr std::int64_t mostTokens = 1'000'000'000'000;

/// The figures of a language model's configuration. Looks up spellings, checks what it finds, and remembers the first
/// thing that is wrong and all that is only worth a warning. A key that is null counts as switched off; one that is
/// absent takes the default of the model type's class, with a warning. Include it in .cpp files.
class ConfigFields {
public:
    /// `root` is the whole file. Where it wraps a language model beside other parts (text_config and kin), the figures
    /// of the innermost wrapped object count, whatever the outer ones say.
    ConfigFields(const nlohmann::json& root, std::string_view where);

    const std::string& modelType() const { return m_modelType; }
    /// Whether the model type is one of these, or one of these with a suffix ("qwen3" also means "qwen3_moe").
    bool isFamily(Keys prefixes) const;

    /// The value of the first spelling that is present and not null; null where there is none.
    const nlohmann::json* find(Keys keys);
    /// The same, and outer objects are asked where the innermost does not say.
    const nlohmann::json* findOuter(Keys keys);
    bool has(Keys keys) { return find(keys) != nullptr; }

    /// A whole number from `minimum` to `maximum`.
    std::optional<std::int64_t> count(Keys keys, std::int64_t minimum, std::int64_t maximum);
    std::int64_t count(Keys keys, std::int64_t minimum, std::int64_t maximum, std::int64_t fallback);
    /// The same, and one of the spellings must be there.
    std::int64_t required(Keys keys, std::int64_t minimum, std::int64_t maximum);
    std::optional<bool> flag(Keys keys);
    std::optional<std::string> text(Keys keys);
    /// A list of whole numbers; empty where there is none.
    std::vector<std::int64_t> counts(Keys keys, std::int64_t minimum, std::int64_t maximum);

    void fail(ErrorCode code, std::string_view key, std::string what);
    void warn(std::string warning);

    const std::optional<Error>& error() const { return m_error; }
    std::vector<std::string> takeWarnings() { return std::move(m_warnings); }

private:
    struct Found {
        std::string_view key;
        const nlohmann::json* value = nullptr;
    };
    Found locate(Keys keys);
    std::optional<std::int64_t> checkCount(
        std::string_view key, const nlohmann::json& value, std::int64_t minimum, std::int64_t maximum);

    std::vector<const nlohmann::json*> m_objects; ///< innermost first
    nlohmann::json m_defaults; ///< of the model type's class
    std::string m_where;
    std::string m_modelType;
    std::optional<Error> m_error;
    std::vector<std::string> m_warnings;
};

} // namespace kvplan
