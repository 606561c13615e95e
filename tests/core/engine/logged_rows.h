// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/log/logged_figure.h"

#include <functional>
#include <string>
#include <vector>

namespace kvplan::testing {

enum class Expect {
    Holds, ///< the prediction lies within what the log's figure was rounded from
    Coarse, ///< it does, but the log's rounding could not have told
    Deviates, ///< it does not; `reason` says why
};

/// A figure that a real server printed, and what predicts it from the rest of its log.
struct LoggedRow {
    std::string id;
    std::string what;
    std::string logged; ///< as printed, with its unit
    std::function<LoggedFigure()> predict;
    Expect expect = Expect::Holds;
    std::string reason = {};
};

/// Every row whose model and settings are stated, nothing fitted, and no rule settled on it; and some others, whose
/// arithmetic must come out just the same.
const std::vector<LoggedRow>& loggedRows();

/// The logged figure with its interval, in bytes where it has a unit.
LoggedFigure observed(const LoggedRow& row);

bool holds(const LoggedRow& row);

} // namespace kvplan::testing
