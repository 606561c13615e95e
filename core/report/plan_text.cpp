// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_text.h"

#include "core/plan/words.h"
#include "core/report/columns.h"

#include <fmt/format.h>

#include <cmath>

namespace kvplan {

namespace {

using enum Align;

std::string section(std::string_view title, const std::string& body)
{
    return body.empty() ? std::string() : fmt::format("\n{}\n{}", title, body);
}

/// One decimal below ten thousand, whole above.
std::string figure(double value)
{
    return std::abs(value) < 10000 ? fmt::format("{:.1f}", value) : grouped(std::llround(value));
}

std::string perToken(double bytes)
{
    return bytes == std::floor(bytes) ? grouped(std::llround(bytes)) + " B" : fmt::format("{:.1f} B", bytes);
}

std::string shapeText(const Scenario& scenario, const Plan& plan)
{
    const Architecture& model = plan.architecture;
    const std::string format = scenario.keyFormat == scenario.valueFormat
        ? std::string(name(scenario.keyFormat))
        : fmt::format("{} keys and {} values", name(scenario.keyFormat), name(scenario.valueFormat));
    return fmt::format("{}: {} layers, {}, {} cache\n", model.name, model.layers, attentionName(model), format);
}

std::string budgetText(const Plan& plan)
{
    Columns columns({Left, Right, Left, Left});
    for (const BudgetLine& line : plan.budget.lines) {
        const bool first = &line == &plan.budget.lines.front();
        const std::string band = line.low == line.high
            ? std::string()
            : fmt::format(" ({} to {})", bytesText(line.low), bytesText(line.high));
        columns.add({line.name, (first ? "" : "- ") + bytesText(line.bytes), std::string(name(line.basis)),
            line.formula + band});
    }
    columns.add({"usable for the cache", bytesText(plan.budget.usable)});
    return columns.text();
}

std::string cacheText(const Scenario& scenario, const Plan& plan)
{
    const KvFigures& kv = plan.kv;
    Columns columns({Left, Right, Left});
    columns.add({"one token", perToken(kv.bytesPerToken),
        kv.bytesPerToken == std::floor(kv.bytesPerToken) && kv.marginalBytesPerToken == kv.allLayersBytesPerToken
            ? ""
            : fmt::format("on average at this context; {} while every window grows, {} past them",
                perToken(static_cast<double>(kv.allLayersBytesPerToken.count())),
                perToken(static_cast<double>(kv.marginalBytesPerToken.count())))});
    if (kv.stateBytesPerSequence.count() > 0) {
        columns.add({"fixed state of a sequence", bytesText(kv.stateBytesPerSequence)});
    }
    columns.add(
        {fmt::format("one sequence of {} tokens", grouped(scenario.contextTokens)), bytesText(kv.bytesPerSequence)});
    columns.add({fmt::format("{} of them", grouped(plan.asked)), bytesText(kv.rawBytes)});
    columns.add(
        {"with overhead", bytesText(kv.withOverheadBytes), fmt::format("{:.6g} % on top", scenario.overheadPercent)});
    if (scenario.tensorParallel * scenario.pipelineParallel > 1) {
        columns.add({"one token on one accelerator", perToken(kv.bytesPerTokenPerGpu)});
        columns.add({"one sequence on one accelerator", bytesText(kv.bytesPerSequencePerGpu)});
    }
    if (kv.sharedBytesPerGpu.count() > 0) {
        columns.add({"shared by a tenant's sequences", bytesText(kv.sharedBytesPerGpu), "of each, kept once"});
    }
    return columns.text();
}

std::string pagingText(const Paging& paging)
{
    Columns columns({Left, Right, Left});
    columns.add({"block", bytesText(paging.blockBytes), grouped(paging.blockTokens.count()) + " tokens"});
    columns.add({"blocks in the pool", grouped(paging.poolBlocks.count())});
    columns.add({"blocks of a sequence", grouped(paging.blocksPerSequence.count()),
        grouped(paging.tailTokensPerSequence.count()) + " tokens of the last one unused"});
    for (const Waste& waste : paging.waste) {
        if (waste.bytes.count() > 0) {
            columns.add({"lost to " + waste.name, bytesText(waste.bytes)});
        }
    }
    return columns.text();
}

std::string capacitiesText(const Scenario& scenario, const Plan& plan)
{
    const Concurrency& concurrency = plan.concurrency;
    const std::string missing = "needs --prompt and --output";
    Columns columns({Left, Right, Left});
    columns.add({"full length", grouped(concurrency.fullSequences), "whole sequences, each at its full context"});
    columns.add({"worst case", figure(concurrency.worstCase), "the same as a real number"});
    columns.add({"steady state", figure(concurrency.steadyState), "full length, once decoding"});
    columns.add({"mean of the mix", concurrency.meanField ? figure(*concurrency.meanField) : "-",
        concurrency.meanResidentTokens
            ? fmt::format("a decoding sequence holds {} tokens on average", figure(*concurrency.meanResidentTokens))
            : missing});
    columns.add({fmt::format("with {:.6g} % confidence", scenario.confidence * 100),
        concurrency.atConfidence ? grouped(*concurrency.atConfidence) : "-",
        concurrency.atConfidence ? "of the mix" : missing});
    columns.add({"asked for", grouped(plan.asked),
        fmt::format("over {} {}; the first limit is {}", grouped(plan.accelerators),
            plan.accelerators == 1 ? "accelerator" : "accelerators", name(plan.bindingLimit))});
    return columns.text();
}

std::string adviceText(const Plan& plan)
{
    Columns columns({Left, Left, Left, Right});
    for (const Advice& advice : plan.advice) {
        columns.add(
            {advice.change, fmt::format("{} to {}", advice.from, advice.to), "admits", grouped(advice.fullSequences)});
    }
    return columns.text();
}

std::string clauses(const std::vector<std::string>& list)
{
    std::string text;
    for (const std::string& clause : list) {
        text += fmt::format("  - {}\n", clause);
    }
    return text;
}

} // namespace

std::string planText(const Scenario& scenario, const Plan& plan)
{
    return plan.verdict + "\n" + shapeText(scenario, plan)
        + section(plan.accelerators > 1 ? "Memory of the tightest accelerator" : "Memory", budgetText(plan))
        + section("Cache", cacheText(scenario, plan)) + section("Paging", pagingText(plan.paging))
        + section("Sequences that fit", capacitiesText(scenario, plan))
        + section("Single changes that admit more", adviceText(plan)) + section("Warnings", clauses(plan.warnings))
        + section(fmt::format("Assumptions ({} engine, version {})", plan.engineName, plan.engineVersion),
            clauses(plan.assumptions));
}

} // namespace kvplan
