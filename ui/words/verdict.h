// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/plan/plan.h"
#include "gpu/measurement.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace kvplan {

enum class VerdictState { Good, Bad, Open };

/// What the band says: a word with a state, the sentence it begins, and a quieter line below.
struct Verdict {
    VerdictState state = VerdictState::Open;
    QString word; ///< "Fits."
    QString text;
    QString detail;
    QStringList warnings;
    QStringList assumptions;
    bool stale = false; ///< belongs to an earlier input
};

/// The plan's answer; with `problem`, what keeps the newest input from having one.
Verdict planVerdict(const Plan& plan, const std::optional<Error>& problem);

/// Whether the measured memory, time and numbers are the predicted ones.
Verdict measureVerdict(const Measurement& measurement);

/// What stands there before anything is measured.
Verdict unmeasuredVerdict(const Result<AllocationPreview>& preview);

} // namespace kvplan
