// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words.h"

#include "core/plan/budget.h"
#include "core/plan/footprint.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

std::string count(std::int64_t value, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", grouped(value), value == 1 ? one : many);
}

std::string askedText(const Plan& plan)
{
    return count(plan.asked, "sequence", "sequences");
}

std::string withoutUnit(const std::string& amount)
{
    return amount.substr(0, amount.find(' '));
}

/// "24.0 GiB (26.4 with overhead)"
std::string held(const Plan& plan)
{
    return plan.paging.liveWithOverhead == plan.paging.liveBytes
        ? gibText(plan.paging.liveBytes)
        : fmt::format("{} ({} with overhead)", gibText(plan.paging.liveBytes),
            withoutUnit(gibText(plan.paging.liveWithOverhead)));
}

} // namespace

std::string grouped(std::int64_t value)
{
    std::string digits = fmt::format("{}", value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

std::string gibText(Bytes bytes)
{
    const double value = gib(bytes);
    const double size = std::abs(value);
    if (size >= 999.95) {
        return grouped(std::llround(value)) + " GiB";
    }
    if (size >= 9.995) {
        return fmt::format("{:.1f} GiB", value);
    }
    return fmt::format("{:#.3g} GiB", value);
}

std::string verdictOf(const Scenario& scenario, const Plan& plan)
{
    const std::string perCard = plan.accelerators > 1 ? " on each accelerator" : "";
    const std::string full = count(plan.concurrency.fullSequences, "full sequence", "full sequences");
    if (plan.budget.usable.count() <= 0) {
        return fmt::format("Does not fit: {} of {} are taken before the cache{}, {} more than there is.",
            gibText(plan.budget.capacity - plan.budget.usable), gibText(plan.budget.capacity), perCard,
            gibText(Bytes(0) - plan.budget.usable));
    }
    if (!plan.fits && plan.asked > plan.concurrency.fullSequences) {
        return fmt::format("Does not fit: {} of {} tokens need {} of {}{}; {} would fit.", askedText(plan),
            grouped(scenario.contextTokens), held(plan), gibText(plan.budget.usable), perCard, full);
    }
    if (!plan.fits) {
        return fmt::format("Does not fit: the sequence cap admits {} and {} are asked for; the cache would hold {}.",
            grouped(plan.maxSequences), grouped(plan.asked), grouped(plan.concurrency.fullSequences));
    }
    const double share = ratio(plan.paging.liveWithOverhead, plan.budget.usable);
    return fmt::format("Fits: {}; {} asked hold {} of {}{}, {:.0f} %.", full, grouped(plan.asked), held(plan),
        gibText(plan.budget.usable), perCard, share * 100);
}

std::vector<std::string> warningsOf(const Scenario& s, const Plan& plan)
{
    const Architecture& model = plan.architecture;
    std::vector<std::string> warnings;
    if (model.maxPosition && s.contextTokens > model.maxPosition->count()) {
        warnings.push_back(fmt::format("the context of {} tokens is beyond the model's own maximum of {}",
            grouped(s.contextTokens), grouped(model.maxPosition->count())));
    }
    const auto launched = static_cast<std::int64_t>(*effective(s, Field::MaxModelLen));
    if (s.contextTokens > launched) {
        warnings.push_back(
            fmt::format("sequences of {} tokens are longer than the launched length of {}: none is served",
                grouped(s.contextTokens), grouped(launched)));
    }
    if (s.prompt && s.output
        && s.prompt->quantile(0.95) + s.output->quantile(0.95) > static_cast<double>(s.contextTokens)) {
        warnings.push_back("the mix's long requests exceed the context; its capacities count them uncut");
    }
    const std::int64_t heads = kvHeads(model);
    if (heads > 0 && s.tensorParallel > heads) {
        warnings.push_back(fmt::format("tensor parallel {} is more than {}: each {} is kept {} times", s.tensorParallel,
            count(heads, "KV head", "KV heads"), heads == 1 ? "token" : "head", ceilDivide(s.tensorParallel, heads)));
    }
    if (model.queryHeads > 0 && model.queryHeads % s.tensorParallel != 0) {
        warnings.push_back(fmt::format("tensor parallel {} does not divide {} query heads: most engines refuse it",
            s.tensorParallel, model.queryHeads));
    }
    if (s.sharedPrefixTokens > 0 && sharedTokens(s, Tokens(s.contextTokens)).count() == 0) {
        warnings.push_back(fmt::format("a shared prefix of {} tokens fills no whole block of {}: nothing is shared",
            grouped(s.sharedPrefixTokens), grouped(plan.paging.blockTokens.count())));
    }
    if (s.kvPoolGib && plan.budget.usable > plan.budget.capacity) {
        warnings.push_back(fmt::format("the given pool of {} is larger than the accelerator's {}",
            gibText(plan.budget.usable), gibText(plan.budget.capacity)));
    }
    if (s.concurrency < s.replicas) {
        warnings.push_back(fmt::format("{} for {} replicas leave some idle", askedText(plan), grouped(s.replicas)));
    }
    warnings.insert(warnings.end(), model.warnings.begin(), model.warnings.end());
    return warnings;
}

std::vector<std::string> assumptionsOf(const Scenario& s, const Plan& plan)
{
    std::vector<std::string> assumptions;
    const bool named = weightsOf(s, plan.architecture).has_value();
    if (s.kvPoolGib) {
        assumptions.push_back("the pool is given outright: weights and headroom are not looked at");
    } else if (named) {
        assumptions.push_back("weights are split evenly over tensor and pipeline ranks; activations, graphs and other "
                              "memory count only where given");
    } else {
        assumptions.push_back(fmt::format("the weights are not known: the headroom of {:.6g} % stands for them",
            *effective(s, Field::HeadroomPercent)));
    }
    if (!s.model) {
        assumptions.push_back(
            "where parameters or a step time are needed: a dense Llama-shaped decoder (hidden = query "
            "heads × head width, MLP 3.5 × hidden, vocabulary 128,256)"
            + std::string(s.accelerator ? "" : " on H100 SXM rates"));
    }
    if (s.overheadPercent > 0) {
        assumptions.push_back(
            fmt::format("{:.6g} % on top of the raw cache stand for fragmentation and metadata; block "
                        "tails are shown and not charged again",
                s.overheadPercent));
    }
    if (s.mlaRank && *s.mlaRank > 0 && !s.mlaRopeDim) {
        assumptions.push_back("the latent's rope width is 64");
    }
    if (s.accelerator && !s.capacityGib && s.accelerator->capacityBasis == Basis::Estimated) {
        assumptions.push_back(fmt::format("the capacity of {} is an estimate, {} to {}", s.accelerator->name,
            gibText(s.accelerator->capacityLow), gibText(s.accelerator->capacityHigh)));
    }
    if (s.prompt) {
        assumptions.push_back("prompt and output lengths are independent; every sequence is decoding");
    }
    return assumptions;
}

} // namespace kvplan
