// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "core/plan/plan.h"
#include "core/report/plan_json.h"
#include "core/report/plan_text.h"

namespace kvplan::cli {

namespace {

Result<ExitCode> planScenario(const Flags& flags)
{
    const auto scenario = scenarioFrom(flags);
    if (!scenario) {
        return tl::unexpected<Error>(scenario.error());
    }
    const auto result = plan(*scenario);
    if (!result) {
        return tl::unexpected<Error>(result.error());
    }
    return printAndEnd(flags.isSet("--json") ? planJson(*scenario, *result) : planText(*scenario, *result),
        flags.isSet("--check") && !result->fits ? DoesNotFit : Success);
}

} // namespace

Result<ExitCode> runPlan(const Arguments& arguments)
{
    Flags flags("plan", "What the cache costs, what fits, and what would make it fit.");
    flags.addSwitch("json", "Print one JSON object.", "Output");
    flags.addSwitch("check", "End with exit code 3 when the scenario does not fit.", "Output");
    addScenarioFlags(flags);
    return answer(flags, arguments, [&] { return planScenario(flags); });
}

} // namespace kvplan::cli
