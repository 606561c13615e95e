// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/admission.h"
#include "core/plan/footprint.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

namespace kvplan {

/// A plan's pool asked about other contexts than its own: what the curves are made of.
class PoolView {
public:
    PoolView(const Scenario& scenario, const Plan& plan);

    /// Full sequences of this footprint over all replicas.
    Admission admitted(const Footprint& footprint, Tokens context) const;

    /// Share of the pool that `sequences` over all replicas take.
    double share(const Footprint& footprint, Tokens context, double sequences) const;

private:
    const Scenario& m_scenario;
    Bytes m_room; ///< for the raw cache, on one accelerator
};

} // namespace kvplan
