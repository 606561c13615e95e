// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kvplan {

/// The largest text file read whole: 16 MiB.
constexpr std::int64_t maximumTextFile = std::int64_t{16} << 20;

/// Reads a regular file of at most `limit` bytes; a larger one is refused before it is read. `what` says what the file
/// should be ("a scenario").
Result<std::string> readTextFile(const std::filesystem::path& path, std::int64_t limit, std::string_view what);

/// Writes beside `path`, then renames: on failure what was there stays as it was and nothing is left behind. What is
/// not a regular file is refused.
Result<void> writeFile(const std::filesystem::path& path, std::string_view content);

} // namespace kvplan
