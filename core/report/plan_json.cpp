// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_json.h"

#include "core/report/json_number.h"
#include "core/scenario/fields.h"

namespace kvplan {

namespace {

using nlohmann::ordered_json;

ordered_json scenarioJson(const Scenario& scenario)
{
    ordered_json object;
    for (const FieldSpec& field : fieldSpecs()) {
        const auto number = effective(scenario, field.field);
        const std::string words = number ? std::string() : text(scenario, field.field);
        object[std::string(field.key)] = number ? jsonNumber(*number)
            : words.empty()                     ? ordered_json()
                                                : ordered_json(words);
    }
    return object;
}

ordered_json kvJson(const KvFigures& kv)
{
    return {
        {"bytes_per_token", jsonNumber(kv.bytesPerToken)},
        {"marginal_bytes_per_token", kv.marginalBytesPerToken.count()},
        {"all_layers_bytes_per_token", kv.allLayersBytesPerToken.count()},
        {"pool_bytes_per_token", jsonNumber(kv.poolBytesPerToken)},
        {"state_bytes_per_sequence", kv.stateBytesPerSequence.count()},
        {"bytes_per_sequence", kv.bytesPerSequence.count()},
        {"raw_bytes", kv.rawBytes.count()},
        {"with_overhead_bytes", kv.withOverheadBytes.count()},
        {"bytes_per_token_per_gpu", jsonNumber(kv.bytesPerTokenPerGpu)},
        {"bytes_per_sequence_per_gpu", kv.bytesPerSequencePerGpu.count()},
        {"shared_bytes_per_gpu", kv.sharedBytesPerGpu.count()},
    };
}

ordered_json budgetJson(const Budget& budget)
{
    ordered_json lines = ordered_json::array();
    for (const BudgetLine& line : budget.lines) {
        lines.push_back({
            {"name", line.name},
            {"bytes", line.bytes.count()},
            {"low_bytes", line.low.count()},
            {"high_bytes", line.high.count()},
            {"basis", name(line.basis)},
            {"formula", line.formula},
        });
    }
    return {{"capacity_bytes", budget.capacity.count()}, {"usable_bytes", budget.usable.count()}, {"lines", lines}};
}

ordered_json pagingJson(const Paging& paging)
{
    ordered_json waste = ordered_json::array();
    for (const Waste& one : paging.waste) {
        waste.push_back({{"name", one.name}, {"bytes", one.bytes.count()}});
    }
    return {
        {"block_tokens", paging.blockTokens.count()},
        {"block_bytes", paging.blockBytes.count()},
        {"pool_blocks", paging.poolBlocks.count()},
        {"blocks_per_sequence", paging.blocksPerSequence.count()},
        {"tail_tokens_per_sequence", paging.tailTokensPerSequence.count()},
        {"waste", waste},
        {"live_bytes", paging.liveBytes.count()},
        {"live_with_overhead_bytes", paging.liveWithOverhead.count()},
    };
}

ordered_json concurrencyJson(const Concurrency& concurrency)
{
    const auto orNull = [](const std::optional<double>& value) -> ordered_json {
        return value ? jsonNumber(*value) : ordered_json();
    };
    return {
        {"full_sequences", concurrency.fullSequences},
        {"worst_case", jsonNumber(concurrency.worstCase)},
        {"steady_state", jsonNumber(concurrency.steadyState)},
        {"mean_field", orNull(concurrency.meanField)},
        {"at_confidence", concurrency.atConfidence ? ordered_json(*concurrency.atConfidence) : ordered_json()},
        {"mean_resident_tokens", orNull(concurrency.meanResidentTokens)},
    };
}

} // namespace

std::string planJson(const Scenario& scenario, const Plan& plan)
{
    ordered_json advice = ordered_json::array();
    for (const Advice& one : plan.advice) {
        advice.push_back(
            {{"change", one.change}, {"from", one.from}, {"to", one.to}, {"full_sequences", one.fullSequences}});
    }
    return jsonText({
        {"model", plan.architecture.name},
        {"scenario", scenarioJson(scenario)},
        {"kv", kvJson(plan.kv)},
        {"budget", budgetJson(plan.budget)},
        {"paging", pagingJson(plan.paging)},
        {"concurrency", concurrencyJson(plan.concurrency)},
        {"engine",
            {{"name", plan.engineName}, {"version", plan.engineVersion}, {"reported_tokens", plan.reportedTokens},
                {"reported_concurrency", jsonNumber(plan.reportedConcurrency)}}},
        {"asked_sequences", plan.asked},
        {"max_sequences", plan.maxSequences},
        {"accelerators", plan.accelerators},
        {"fits", plan.fits},
        {"binding_limit", name(plan.bindingLimit)},
        {"verdict", plan.verdict},
        {"advice", advice},
        {"warnings", plan.warnings},
        {"assumptions", plan.assumptions},
    });
}

} // namespace kvplan
