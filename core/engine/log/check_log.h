// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_rules.h"
#include "core/engine/log/engine_log.h"
#include "core/error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kvplan {

/// What a log's server ran: its model and launch. Pool, lengths and slots come from the log where it has them.
struct LogSubject {
    Architecture architecture;
    EngineSetup setup;
};

struct LogResidual {
    std::string name;
    LoggedFigure predicted; ///< from the rest of the log, its rounding carried through
    LoggedFigure observed;
    double relativeError = 0; ///< (predicted − observed) / observed
    bool agrees = false; ///< the two intervals meet
};

using LogFigures = std::map<std::string, LoggedFigure>;

/// A log held against the engine's rules.
struct LogCheck {
    std::string engine;
    std::string version;
    LogFigures observed; ///< of the rank that binds: least of pools and counts, most of costs
    LogFigures predicted;
    std::vector<LogResidual> residuals;
    LogFigures calibration; ///< "overhead_bytes": what the card gave beside weights and cache
    std::vector<std::string> inconsistencies; ///< two facts of the log that disagree, a clause each
    std::vector<std::string> notes;
};

/// Predicts every figure that follows from others: by arithmetic alone, or, with a subject, by the engine's rules.
/// Fails where the rules refuse the subject.
Result<LogCheck> checkLog(const EngineLog& log, const LogSubject* subject = nullptr);

/// Carries the rounding of a logged pool through the engine's rules: the account at both ends.
struct AccountBand {
    EngineAccount low;
    EngineAccount high;
};
Result<AccountBand> accountBand(
    const EngineRules& rules, const EngineVersion& version, LogSubject subject, const LoggedFigure& pool);

} // namespace kvplan
