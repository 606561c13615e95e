// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/scenario/scenario.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace kvplan {

/// A scenario as a file holds it. Keys this version does not know are kept and written back.
struct ScenarioDocument {
    Scenario scenario;
    std::string unknownJson; ///< an object of the unknown keys, as JSON text; empty: none
};

/// JSON with "schema": "kvplan-scenario" and "version"; given fields under their keys, the model and card in full so
/// that the file stands alone.
std::string writeScenario(const ScenarioDocument& document);

/// Reads writeScenario's text, of this version or an older one. Anything wrong refuses the whole text, with the line
/// and the reason; `where` is how errors call it.
Result<ScenarioDocument> readScenario(std::string_view text, std::string_view where);

/// The same from a file of at most 16 MiB.
Result<ScenarioDocument> loadScenario(const std::filesystem::path& path);

/// Writes to a new file beside `path` and renames it, so that a failure leaves what was there.
Result<void> saveScenario(const std::filesystem::path& path, const ScenarioDocument& document);

} // namespace kvplan
