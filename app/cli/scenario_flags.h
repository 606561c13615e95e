// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/flags.h"
#include "core/error.h"
#include "core/scenario/scenario.h"

namespace kvplan::cli {

/// Adds --scenario, --model, --config, --accelerator, --kv-format, --engine-version and a flag for every field of the
/// table, with its range and default.
void addScenarioFlags(Flags& flags);

/// The scenario that the flags describe: the file first, then every flag on top of it. A model or card named by a flag
/// also takes the place of what the file says about the file's own model or card.
Result<Scenario> scenarioFrom(const Flags& flags);

} // namespace kvplan::cli
