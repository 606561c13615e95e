// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/model/architecture.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <optional>

namespace kvplan {

/// Weights of the whole model and where the figure comes from.
struct Weights {
    Bytes bytes;
    Basis basis = Basis::Computed;
    std::string formula;
};

/// Given outright, or counted from the architecture in the format they are held in; empty when neither can be.
std::optional<Weights> weightsOf(const Scenario& scenario, const Architecture& architecture);

/// The simple budget of the tightest accelerator. With weights known: capacity − weights / (tp · pp) − activations −
/// graphs − other − capacity · headroom; without them the headroom stands for the weights. A pool given outright skips
/// it.
Budget simpleBudget(const Scenario& scenario, const Architecture& architecture);

} // namespace kvplan
