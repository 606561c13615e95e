// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace kvplan {

namespace {

constexpr std::array<EngineRules, 4> table{{
    {"vllm", {0, 2, 0}, {0, 24, 0}, &accountVllm, &vllmBudget},
    {"sglang", {0, 5, 0}, {0, 5, 16}, &accountSglang, &sglangBudget},
    {"tensorrt-llm", {0, 13, 0}, {1, 2, 1}, &accountTensorRt, &tensorRtBudget},
    {"llama.cpp", {1, 0, 0}, {8700, 0, 0}, &accountLlamaCpp, &llamaCppBudget},
}};

using BlocksOfLength = Blocks (CachePool::*)(Tokens) const;

double admitted(const std::vector<CachePool>& pools, Tokens length, BlocksOfLength need)
{
    double least = std::numeric_limits<double>::infinity();
    for (const CachePool& pool : pools) {
        const Blocks usable = std::max(Blocks(0), pool.blocks - pool.reserved);
        const Blocks each = (pool.*need)(length);
        if (each.count() > 0) {
            least = std::min(least, ratio(usable, each));
        }
    }
    return least;
}

Bytes bytesTaken(const std::vector<CachePool>& pools, Tokens length, BlocksOfLength need)
{
    Bytes sum;
    for (const CachePool& pool : pools) {
        sum += pool.blockBytes * (pool.*need)(length).count();
    }
    return sum;
}

} // namespace

std::span<const EngineRules> engineRules()
{
    return table;
}

const EngineRules* findEngineRules(std::string_view name)
{
    const auto* found = std::ranges::find(table, name, &EngineRules::name);
    return found == table.end() ? nullptr : found;
}

ChosenVersion chooseVersion(const EngineRules& rules, std::string_view text)
{
    if (text.empty()) {
        return {rules.newest, ""};
    }
    const std::optional<EngineVersion> asked = parseEngineVersion(text);
    const auto instead = [&](const EngineVersion& version, std::string_view why) {
        return ChosenVersion{
            version, fmt::format("{} {} {}: the rules of {} stand in", rules.name, text, why, kvplan::text(version))};
    };
    if (!asked) {
        return instead(rules.newest, "names no version");
    }
    if (*asked > rules.newest) {
        return instead(rules.newest, "is newer than the rules known here");
    }
    if (*asked < rules.oldest) {
        return instead(rules.oldest, "is older than the rules known here");
    }
    return {*asked, ""};
}

Bytes EngineAccount::sequenceBytes(Tokens length) const
{
    return bytesTaken(pools, length, &CachePool::perSequence);
}

Bytes EngineAccount::steadyBytes(Tokens length) const
{
    return bytesTaken(pools, length, &CachePool::steadyPerSequence);
}

void settle(EngineAccount& account, Tokens length, Bytes memory)
{
    account.worstCase = admitted(account.pools, length, &CachePool::perSequence);
    account.steadyState = admitted(account.pools, length, &CachePool::steadyPerSequence);
    Bytes inBlocks;
    Bytes reserved;
    for (const CachePool& pool : account.pools) {
        inBlocks += pool.blockBytes * pool.blocks.count();
        reserved += pool.blockBytes * pool.reserved.count();
        for (const NamedBytes& line : takenBy(pool, length)) {
            const auto found = std::ranges::find(account.sequence, line.name, &NamedBytes::name);
            if (found == account.sequence.end()) {
                account.sequence.push_back(line);
            } else {
                found->bytes += line.bytes;
            }
        }
    }
    if (reserved.count() > 0) {
        account.poolWaste.push_back({"null block", reserved});
    }
    if (memory > inBlocks) {
        account.poolWaste.push_back({"less than a block", memory - inBlocks});
    }
}

} // namespace kvplan
