// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words.h"

#include "core/plan/plan_core.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvplan {

namespace {

struct Candidate {
    std::string change;
    std::string from;
    std::string to;
    Scenario scenario;
};

std::string formatText(const Scenario& scenario)
{
    return scenario.keyFormat == scenario.valueFormat
        ? std::string(name(scenario.keyFormat))
        : fmt::format("{} / {}", name(scenario.keyFormat), name(scenario.valueFormat));
}

void addCacheFormat(std::vector<Candidate>& candidates, const Scenario& scenario)
{
    for (const CacheFormat format : {CacheFormat::Fp8, CacheFormat::Int4}) {
        Scenario changed = scenario;
        changed.keyFormat = format;
        changed.valueFormat = format;
        const double before = info(scenario.keyFormat).bytesPerElement() + info(scenario.valueFormat).bytesPerElement();
        if (2 * info(format).bytesPerElement() < before) {
            candidates.push_back(
                {fmt::format("{} cache", name(format)), formatText(scenario), std::string(name(format)), changed});
            return;
        }
    }
}

void addNumber(std::vector<Candidate>& candidates, const Scenario& scenario, Field field, double to, std::string change)
{
    Scenario changed = scenario;
    const double from = *effective(scenario, field);
    if (to != from && setNumber(changed, field, to)) {
        candidates.push_back({std::move(change), grouped(static_cast<std::int64_t>(from)),
            grouped(static_cast<std::int64_t>(to)), std::move(changed)});
    }
}

std::vector<Candidate> candidatesFor(const Scenario& scenario, const Plan& plan)
{
    std::vector<Candidate> candidates;
    addCacheFormat(candidates, scenario);
    if (plan.maxSequences < plan.concurrency.fullSequences) {
        const std::int64_t enough = ceilDivide(plan.concurrency.fullSequences, scenario.replicas);
        addNumber(candidates, scenario, Field::MaxSequences, static_cast<double>(enough), "higher sequence cap");
    }
    const bool named
        = std::ranges::any_of(plan.budget.lines, [](const BudgetLine& line) { return line.name == "weights"; });
    if (named && !scenario.weightsGib && text(scenario, Field::WeightFormat) != "fp8") {
        Scenario changed = scenario;
        if (setText(changed, Field::WeightFormat, "fp8")) {
            candidates.push_back({"fp8 weights", text(scenario, Field::WeightFormat), "fp8", changed});
        }
    }
    addNumber(candidates, scenario, Field::TensorParallel, static_cast<double>(scenario.tensorParallel * 2),
        fmt::format("tensor parallel {}", scenario.tensorParallel * 2));
    addNumber(candidates, scenario, Field::Replicas, static_cast<double>(scenario.replicas + 1),
        fmt::format("{} replicas", scenario.replicas + 1));
    addNumber(
        candidates, scenario, Field::Context, static_cast<double>(scenario.contextTokens / 2), "half the context");
    return candidates;
}

} // namespace

std::vector<Advice> adviceOn(const Scenario& scenario, const Plan& plan)
{
    struct Judged {
        Advice advice;
        bool fits;
    };
    Scenario bare = scenario;
    bare.prompt.reset();
    bare.output.reset();
    std::vector<Judged> better;
    const auto admitted = [](const Plan& p) { return std::min(p.concurrency.fullSequences, p.maxSequences); };
    for (Candidate& candidate : candidatesFor(bare, plan)) {
        const auto changed = planFigures(candidate.scenario);
        if (changed && admitted(*changed) > admitted(plan)) {
            better.push_back(
                {{std::move(candidate.change), std::move(candidate.from), std::move(candidate.to), admitted(*changed)},
                    changed->fits});
        }
    }
    std::ranges::stable_partition(better, [](const Judged& judged) { return judged.fits; });
    std::vector<Advice> advice;
    for (Judged& judged : better) {
        advice.push_back(std::move(judged.advice));
    }
    return advice;
}

} // namespace kvplan
