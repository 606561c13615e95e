// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/mixes.h"

#include "core/scenario/scenario.h"

#include <QCoreApplication>

#include <array>

namespace kvplan {

std::span<const MixPreset> mixPresets()
{
    static constexpr std::array<MixPreset, 4> presets{{
        {"Chat", "lognormal:1155,3500", "exponential:211"},
        {"Retrieval", "lognormal:6000,16000", "exponential:300"},
        {"Code completion", "lognormal:2048,5000", "exponential:28"},
        {"Reasoning", "lognormal:1000,3000", "lognormal:6000,20000"},
    }};
    return presets;
}

QString mixName(const Scenario& scenario)
{
    if (!scenario.prompt && !scenario.output) {
        return QCoreApplication::translate("kvplan::ScenarioPanel", "None");
    }
    for (const MixPreset& preset : mixPresets()) {
        if (scenario.prompt && scenario.output && scenario.prompt->text() == preset.prompt
            && scenario.output->text() == preset.output) {
            return QCoreApplication::translate("kvplan::ScenarioPanel", preset.name);
        }
    }
    return QCoreApplication::translate("kvplan::ScenarioPanel", "Custom");
}

} // namespace kvplan
