// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace kvplan::cli {

using Arguments = std::vector<std::string>;

/// The flags of one verb: CLI11 behind this project's errors. A flag takes one value and is given once; every refusal
/// names the flag as the user typed it.
class Flags {
public:
    Flags(std::string_view verb, const std::string& purpose);
    ~Flags();
    Flags(const Flags&) = delete;
    Flags& operator=(const Flags&) = delete;

    /// `--name TYPE`, shown in the help under `group`; an empty group hides it.
    void addValue(const std::string& name, const std::string& type, const std::string& help, const std::string& group);
    void addSwitch(const std::string& name, const std::string& help, const std::string& group);
    /// The one argument without dashes.
    void addPositional(const std::string& name, const std::string& help);

    /// Whether --help or -h is among them; parse() is then not needed.
    static bool asksForHelp(const Arguments& arguments);
    std::string help() const;

    Result<void> parse(const Arguments& arguments);

    std::optional<std::string> value(const std::string& name) const;
    bool isSet(const std::string& name) const;

private:
    Result<void> checkNames() const;
    Result<void> checkValues() const;
    std::string mendName(const std::string& unknown) const;

    std::string m_verb;
    std::unique_ptr<CLI::App> m_app;
};

/// A whole number from `minimum` to `maximum`, or the refusal that names the flag.
Result<std::int64_t> wholeNumber(
    const std::string& flag, const std::string& text, std::int64_t minimum, std::int64_t maximum);

} // namespace kvplan::cli
