// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/units.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kvplan {

/// Reads the members of one JSON object and remembers the first thing that is wrong, so that a reader is a list of what
/// it wants followed by one check. Private to core's readers; include it in .cpp files.
class JsonReader {
public:
    /// `where` is how errors call the object: "model", "accelerators[3]".
    JsonReader(const nlohmann::json& object, std::string_view where);

    bool has(std::string_view key) const;

    /// A whole number from `minimum` to `maximum`; `fallback` where the key is absent.
    std::int64_t integer(std::string_view key, std::int64_t minimum, std::int64_t maximum, std::int64_t fallback);
    /// The same, and the key must be there.
    std::int64_t integer(std::string_view key, std::int64_t minimum, std::int64_t maximum);
    std::optional<std::int64_t> optionalInteger(std::string_view key, std::int64_t minimum, std::int64_t maximum);
    double real(std::string_view key, double minimum, double maximum, double fallback);
    std::string text(std::string_view key, std::string_view fallback);
    std::string text(std::string_view key);

    /// The member, or null with the failure remembered where it is absent.
    const nlohmann::json& member(std::string_view key);

    void fail(std::string_view key, std::string what);
    /// Takes over the failure of a nested reader.
    void adopt(const Error& error);

    const std::optional<Error>& error() const { return m_error; }
    std::string path(std::string_view key) const;

private:
    const nlohmann::json& m_object;
    std::string m_where;
    std::optional<Error> m_error;
};

} // namespace kvplan
