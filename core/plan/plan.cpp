// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"

#include "core/cache/paging.h"
#include "core/plan/admission.h"
#include "core/plan/budget.h"
#include "core/plan/capacities.h"
#include "core/plan/footprint.h"
#include "core/plan/plan_core.h"
#include "core/plan/words.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

constexpr std::string_view simpleVersion = "1";

Result<void> checkParallelism(const Scenario& s, const Architecture& architecture)
{
    if (s.pipelineParallel > architecture.layers) {
        return failure(ErrorCode::Inconsistent,
            fmt::format("{} pipeline stages cannot split {} layers", s.pipelineParallel, architecture.layers), "pp",
            "give at most as many stages as layers");
    }
    if (s.tensorParallel % s.decodeContextParallel != 0) {
        return failure(ErrorCode::Inconsistent,
            fmt::format("dcp {} does not divide tp {}", s.decodeContextParallel, s.tensorParallel), "dcp",
            "split the tokens over a divisor of the tensor ranks");
    }
    const std::int64_t heads = std::max<std::int64_t>(1, kvHeads(architecture));
    if (s.decodeContextParallel > 1 && s.decodeContextParallel > ceilDivide(s.tensorParallel, heads)) {
        return failure(ErrorCode::Inconsistent,
            fmt::format("dcp {} needs {} copies of each KV head and tp {} over {} heads makes {}",
                s.decodeContextParallel, s.decodeContextParallel, s.tensorParallel, heads,
                ceilDivide(s.tensorParallel, heads)),
            "dcp", "lower dcp, or raise tp");
    }
    return {};
}

KvFigures figuresOf(const Scenario& s, const Architecture& architecture, const Footprint& footprint)
{
    const Tokens context(s.contextTokens);
    const SequenceCost logical = sequenceCost(architecture, formatsOf(s), {}, 1, context);
    const auto perToken = [&](Bytes total, Bytes state) {
        return static_cast<double>((total - state).count()) / static_cast<double>(context.count());
    };
    KvFigures kv;
    kv.bytesPerToken = perToken(logical.total, logical.state);
    kv.allLayersBytesPerToken = logical.growing;
    kv.marginalBytesPerToken = logical.marginal;
    kv.stateBytesPerSequence = logical.state;
    kv.bytesPerSequence = logical.total;
    kv.rawBytes = logical.total * s.concurrency;
    kv.withOverheadBytes = Percent(s.overheadPercent).onTopOf(kv.rawBytes);
    kv.bytesPerSequencePerGpu = footprint.sequence(context);
    kv.bytesPerTokenPerGpu = perToken(kv.bytesPerSequencePerGpu, footprint.state());
    kv.sharedBytesPerGpu = footprint.prefix(sharedTokens(s, context), context);
    return kv;
}

/// What the ranks of one replica hold beyond one logical copy, on average over its accelerators.
Bytes replicatedBytes(const Scenario& s, const KvFigures& kv)
{
    const Bytes share(ceilDivide(kv.bytesPerSequence.count(), s.tensorParallel * s.pipelineParallel));
    return std::max(Bytes(0), kv.bytesPerSequencePerGpu - share);
}

Paging pagingOf(const Scenario& s, const Plan& plan, const Footprint& footprint)
{
    const Tokens context(s.contextTokens);
    const std::int64_t onReplica = ceilDivide(s.concurrency, s.replicas);
    Paging paging;
    paging.blockTokens = blockTokensOf(s);
    paging.blockBytes = footprint.growing() * paging.blockTokens.count();
    if (paging.blockBytes.count() > 0) {
        paging.poolBlocks = Blocks(std::max<std::int64_t>(0, plan.budget.usable.count()) / paging.blockBytes.count());
        const Bytes growing = plan.kv.bytesPerSequencePerGpu - footprint.state();
        paging.blocksPerSequence = Blocks(ceilDivide(growing.count(), paging.blockBytes.count()));
        paging.tailTokensPerSequence = tailTokens(context, paging.blockTokens);
    }
    paging.liveBytes = bytesOf(onReplica, plan.kv.bytesPerSequencePerGpu, plan.kv.sharedBytesPerGpu, s.prefixGroups);
    paging.liveWithOverhead = Percent(s.overheadPercent).onTopOf(paging.liveBytes);
    paging.waste.push_back({"block tails", footprint.growing() * paging.tailTokensPerSequence.count() * onReplica});
    paging.waste.push_back({"replication", replicatedBytes(s, plan.kv) * onReplica});
    paging.waste.push_back({"overhead", paging.liveWithOverhead - paging.liveBytes});
    return paging;
}

Limit limitOf(const Plan& plan)
{
    if (plan.budget.usable.count() <= 0) {
        const auto isWeights = [](const BudgetLine& line) { return line.name == "weights"; };
        return std::ranges::any_of(plan.budget.lines, isWeights) ? Limit::Weights : Limit::Kv;
    }
    if (plan.maxSequences < plan.concurrency.fullSequences) {
        return Limit::Sequences;
    }
    return plan.kv.stateBytesPerSequence * 2 > plan.kv.bytesPerSequence ? Limit::State : Limit::Kv;
}

} // namespace

std::string_view name(Limit limit)
{
    switch (limit) {
    case Limit::Kv:
        return "kv";
    case Limit::Weights:
        return "weights";
    case Limit::Sequences:
        return "sequences";
    case Limit::State:
        return "state";
    }
    return "";
}

Result<Plan> planFigures(const Scenario& s)
{
    return guarded("the cache", [&]() -> Result<Plan> {
        auto architecture = resolveArchitecture(s);
        if (!architecture) {
            return tl::unexpected<Error>(architecture.error());
        }
        if (auto parallel = checkParallelism(s, *architecture); !parallel) {
            return tl::unexpected<Error>(parallel.error());
        }
        const Footprint footprint = footprintOf(s, *architecture);
        Plan plan;
        plan.kv = figuresOf(s, *architecture, footprint);
        plan.budget = simpleBudget(s, *architecture);
        const Bytes pool = Percent(s.overheadPercent).takenOutOf(std::max(Bytes(0), plan.budget.usable));
        auto concurrency = capacities(s, footprint, pool);
        if (!concurrency) {
            return tl::unexpected<Error>(concurrency.error());
        }
        plan.concurrency = *concurrency;
        plan.paging = pagingOf(s, plan, footprint);

        plan.engineName = name(s.engine);
        plan.engineVersion = simpleVersion;
        const double replicaTokens = std::floor(
            plan.concurrency.worstCase / static_cast<double>(s.replicas) * static_cast<double>(s.contextTokens));
        plan.reportedTokens = static_cast<std::int64_t>(std::min(replicaTokens, 9e18));
        if (plan.reportedTokens > 0) {
            plan.kv.poolBytesPerToken
                = static_cast<double>(plan.budget.usable.count()) / static_cast<double>(plan.reportedTokens);
        }
        plan.reportedConcurrency = static_cast<double>(plan.reportedTokens) / *effective(s, Field::MaxModelLen);
        plan.asked = s.concurrency;
        plan.maxSequences = checkedMultiply(s.replicas, static_cast<std::int64_t>(*effective(s, Field::MaxSequences)));
        plan.accelerators = checkedMultiply(checkedMultiply(s.tensorParallel, s.pipelineParallel), s.replicas);
        plan.fits = plan.budget.usable.count() > 0
            && s.concurrency <= std::min(plan.concurrency.fullSequences, plan.maxSequences);
        plan.bindingLimit = limitOf(plan);
        plan.architecture = std::move(*architecture);
        return plan;
    });
}

Result<Plan> plan(const Scenario& scenario)
{
    auto plan = planFigures(scenario);
    if (plan) {
        plan->advice = adviceOn(scenario, *plan);
        plan->verdict = verdictOf(scenario, *plan);
        plan->warnings = warningsOf(scenario, *plan);
        plan->assumptions = assumptionsOf(scenario, *plan);
    }
    return plan;
}

} // namespace kvplan
