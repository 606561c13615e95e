// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/model/architecture.h"

#include <filesystem>
#include <string_view>

namespace kvplan {

/// Reads a Hugging Face config.json (or Mistral params.json) from its text. `name` is what the model is called where
/// the text has no name of its own; `where` is how errors call the text. What the reader cannot know it says in
/// Architecture::warnings; what it does not understand it refuses, naming the field.
Result<Architecture> readConfigJson(std::string_view text, std::string_view name, std::string_view where);

/// Reads an architecture from a file, or from a folder that holds a config.json. Refuses directories without one,
/// files that are not JSON and files beyond 16 MiB, before reading them whole.
Result<Architecture> readArchitecture(const std::filesystem::path& path);

} // namespace kvplan
