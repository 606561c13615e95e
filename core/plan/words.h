// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvplan {

/// 1234567 → "1,234,567".
std::string grouped(std::int64_t value);

/// "60.0 GiB", "8.58 GiB", "1,056 GiB": three significant digits, whole and grouped from a thousand on.
std::string gibText(Bytes bytes);

/// One sentence that answers "does it fit", with the figures that decide it.
std::string verdictOf(const Scenario& scenario, const Plan& plan);

/// What a reader should know that the figures do not say: contexts beyond the model's maximum, lengths that are not
/// cut, replication, a prefix that fills no block.
std::vector<std::string> warningsOf(const Scenario& scenario, const Plan& plan);

/// What the figures rest on.
std::vector<std::string> assumptionsOf(const Scenario& scenario, const Plan& plan);

/// Single changes that admit more full sequences, the ones that make the ask fit first.
std::vector<Advice> adviceOn(const Scenario& scenario, const Plan& plan);

} // namespace kvplan
