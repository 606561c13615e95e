// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/explain.h"

#include "core/cache/paging.h"
#include "core/plan/footprint.h"
#include "core/plan/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

std::string perElement(CacheFormat format)
{
    return fmt::format("{:.6g} B", info(format).bytesPerElement());
}

/// "8 × (128 + 128) × 2 B", or with the two formats apart where they differ.
std::string rows(std::int64_t heads, std::int64_t key, std::int64_t value, CacheFormats formats)
{
    return formats.key == formats.value ? fmt::format("{} × ({} + {}) × {}", heads, key, value, perElement(formats.key))
                                        : fmt::format("{} × ({} × {} + {} × {})", heads, key, perElement(formats.key),
                                            value, perElement(formats.value));
}

/// What one group adds to a token, with its values.
std::string term(const AttentionGroup& group, CacheFormats formats)
{
    return std::visit(
        [&](const auto& kind) -> std::string {
            if constexpr (requires { kind.encoderTokens; }) {
                return {};
            } else if constexpr (requires { kind.kvHeads; }) {
                return fmt::format("{} × {}", group.layers, rows(kind.kvHeads, kind.keyDim, kind.valueDim, formats));
            } else if constexpr (requires { kind.rank; }) {
                return fmt::format(
                    "{} × ({} + {}) × {}", group.layers, kind.rank, kind.ropeDim, perElement(formats.key));
            } else {
                return {};
            }
        },
        group.kind);
}

std::string tokenBytes(const Scenario& scenario, const Plan& plan)
{
    const bool latent = std::ranges::any_of(plan.architecture.groups,
        [](const AttentionGroup& group) { return std::holds_alternative<LatentAttention>(group.kind); });
    std::string terms;
    bool complete = true;
    for (const AttentionGroup& group : plan.architecture.groups) {
        const std::string one = term(group, formatsOf(scenario));
        const bool nothing = std::holds_alternative<SharedCache>(group.kind)
            || std::holds_alternative<RecurrentState>(group.kind) || std::holds_alternative<CrossAttention>(group.kind);
        complete = complete && (nothing || !one.empty());
        if (!one.empty()) {
            terms += (terms.empty() ? "" : " + ") + one;
        }
    }
    return fmt::format("{}\n= {}{} = {} B",
        latent ? "bytes a token = layers × (rank + rope) × bytes an element"
               : "bytes a token = layers × KV heads × (key + value width) × bytes an element",
        terms, complete ? "" : " + compressed entries", grouped(plan.kv.allLayersBytesPerToken.count()));
}

/// Grouped where whole, else to a tenth.
std::string bytesNumber(double bytes)
{
    return bytes == std::floor(bytes) ? grouped(static_cast<std::int64_t>(bytes)) : fmt::format("{:.1f}", bytes);
}

std::string sequenceBytes(const Scenario& scenario, const Plan& plan)
{
    return fmt::format("bytes a sequence = context × bytes a token, windows and state counted\n= {} × {} B{} = {}",
        grouped(scenario.contextTokens), bytesNumber(plan.kv.bytesPerToken),
        plan.kv.stateBytesPerSequence.count() > 0
            ? fmt::format(" + {} B of state", grouped(plan.kv.stateBytesPerSequence.count()))
            : std::string(),
        gibText(plan.kv.bytesPerSequence));
}

std::string budgetText(const Plan& plan)
{
    std::string formula;
    std::string values;
    for (const BudgetLine& line : plan.budget.lines) {
        formula += (formula.empty() ? "pool = " : " − ") + line.name;
        values += (values.empty() ? "= " : " − ") + gibText(line.bytes);
    }
    return fmt::format("{}\n{} = {}", formula, values, gibText(plan.budget.usable));
}

std::string rankText(const Scenario& scenario, const Plan& plan)
{
    const std::int64_t heads = kvHeads(plan.architecture);
    return fmt::format("KV heads on a rank = ⌈KV heads / tensor parallel⌉, at least 1\n= ⌈{} / {}⌉ = {}; {:.10g} B a "
                       "token on each accelerator",
        heads, scenario.tensorParallel, std::max<std::int64_t>(1, ceilDivide(heads, scenario.tensorParallel)),
        plan.kv.bytesPerTokenPerGpu);
}

std::string residenceText(const Plan& plan)
{
    if (!plan.concurrency.meanResidentTokens || !plan.concurrency.meanField) {
        return "tokens held = E[P(O − 1) + O(O − 1)/2] / E[O − 1]\nfor prompt P and output O; give both";
    }
    return fmt::format("tokens held = E[P(O − 1) + O(O − 1)/2] / E[O − 1]\n= {:.1f} tokens; the pool holds {:.1f} such "
                       "sequences",
        *plan.concurrency.meanResidentTokens, *plan.concurrency.meanField);
}

std::string number(double value)
{
    return fmt::format("{:.10g}", value);
}

} // namespace

std::string explain(Field field, const Scenario& scenario, const Plan& plan)
{
    switch (field) {
    case Field::Layers:
    case Field::KvHeads:
    case Field::HeadDim:
    case Field::ValueHeadDim:
    case Field::KeyFormat:
    case Field::ValueFormat:
    case Field::MlaRank:
    case Field::MlaRopeDim:
        return tokenBytes(scenario, plan);
    case Field::QueryHeads: {
        const std::int64_t heads = std::max<std::int64_t>(1, kvHeads(plan.architecture));
        return fmt::format("query heads that share a cached head = query heads / KV heads\n= {} / {} = {:.6g}",
            plan.architecture.queryHeads, heads,
            static_cast<double>(plan.architecture.queryHeads) / static_cast<double>(heads));
    }
    case Field::Window:
    case Field::GlobalEvery:
    case Field::Context:
        return sequenceBytes(scenario, plan);
    case Field::Concurrency:
        return fmt::format("raw cache = sequences × bytes a sequence\n= {} × {} = {}", grouped(scenario.concurrency),
            gibText(plan.kv.bytesPerSequence), gibText(plan.kv.rawBytes));
    case Field::BlockSize: {
        const std::int64_t block = plan.paging.blockTokens.count();
        return fmt::format("blocks a sequence = ⌈context / block⌉\n= ⌈{} / {}⌉ = {}; {} tokens of the last stay empty",
            grouped(scenario.contextTokens), grouped(block), grouped(plan.paging.blocksPerSequence.count()),
            grouped(plan.paging.tailTokensPerSequence.count()));
    }
    case Field::OverheadPercent:
        return fmt::format("with overhead = raw cache × (1 + overhead)\n= {} × {} = {}", gibText(plan.kv.rawBytes),
            number(1 + scenario.overheadPercent / 100), gibText(plan.kv.withOverheadBytes));
    case Field::CapacityGib:
    case Field::HeadroomPercent:
    case Field::KvPoolGib:
    case Field::WeightsGib:
    case Field::WeightFormat:
    case Field::ActivationGib:
    case Field::GraphsGib:
    case Field::OtherGib:
    case Field::ParametersB:
        return budgetText(plan);
    case Field::TensorParallel:
        return rankText(scenario, plan);
    case Field::PipelineParallel:
    case Field::Replicas:
        return fmt::format("accelerators = tensor × pipeline × replicas\n= {} × {} × {} = {}", scenario.tensorParallel,
            scenario.pipelineParallel, scenario.replicas, plan.accelerators);
    case Field::DecodeContextParallel:
        return fmt::format("tokens on a rank = ⌈context / decode-context parallel⌉\n= ⌈{} / {}⌉ = {}",
            grouped(scenario.contextTokens), scenario.decodeContextParallel,
            grouped(ceilDivide(scenario.contextTokens, scenario.decodeContextParallel)));
    case Field::MaxModelLen:
        return fmt::format("launched length ≥ context\n{} ≥ {}", number(*effective(scenario, Field::MaxModelLen)),
            grouped(scenario.contextTokens));
    case Field::MaxSequences:
        return fmt::format("admitted at most = sequence cap × replicas\n= {} × {} = {}",
            number(*effective(scenario, Field::MaxSequences)), scenario.replicas, grouped(plan.maxSequences));
    case Field::SharedPrefix:
    case Field::PrefixGroups: {
        const Tokens shared = sharedTokens(scenario, Tokens(scenario.contextTokens));
        return fmt::format("kept once a tenant = whole blocks of the prefix\n= {} of {} tokens, {} for {} tenants",
            grouped(shared.count()), grouped(scenario.sharedPrefixTokens), gibText(plan.kv.sharedBytesPerGpu),
            grouped(scenario.prefixGroups));
    }
    case Field::Prompt:
    case Field::Output:
        return residenceText(plan);
    case Field::Confidence:
        return fmt::format("largest B with P(tokens held by B > pool) ≤ 1 − confidence\n= {}{}",
            number(1 - scenario.confidence),
            plan.concurrency.atConfidence ? ": " + grouped(*plan.concurrency.atConfidence) : "; give a mix");
    case Field::ActiveParametersB:
    case Field::EngineName:
    case Field::MaxBatchedTokens:
        return {};
    }
    return {};
}

} // namespace kvplan
