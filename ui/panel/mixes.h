// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <span>

namespace kvplan {

struct Scenario;

/// A request mix to begin with. Figures of the kind, not of one service.
struct MixPreset {
    const char* name;
    const char* prompt;
    const char* output;
};

std::span<const MixPreset> mixPresets();

/// The preset a scenario's lengths are, "Custom" for others, "None" without lengths.
QString mixName(const Scenario& scenario);

} // namespace kvplan
