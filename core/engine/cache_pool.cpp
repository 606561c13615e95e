// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cache_pool.h"

#include <algorithm>
#include <string_view>

namespace kvplan {

namespace {

Tokens onRank(Tokens length, std::int64_t ranks)
{
    return Tokens(ceilDivide(length.count(), ranks));
}

Tokens capped(Tokens tokens, Tokens cap)
{
    return cap.count() > 0 ? std::min(tokens, cap) : tokens;
}

Blocks blocksOf(const CacheGroup& group, Tokens length, Tokens cap)
{
    if (group.fixedBlocks > 0) {
        return Blocks(group.fixedBlocks);
    }
    const Tokens kept = capped(onRank(length, group.ranks), cap);
    return Blocks(ceilDivide(kept.count(), group.blockTokens.count()) + group.extraBlocks);
}

void add(std::vector<NamedBytes>& lines, std::string_view name, Bytes bytes)
{
    if (bytes.count() == 0) {
        return;
    }
    const auto found = std::ranges::find(lines, name, &NamedBytes::name);
    if (found == lines.end()) {
        lines.push_back({std::string(name), bytes});
    } else {
        found->bytes += bytes;
    }
}

void addStates(std::vector<NamedBytes>& lines, const CacheGroup& group, std::int64_t blocks)
{
    add(lines, payloadName, group.fixed - group.replicatedFixed);
    add(lines, "replication", group.replicatedFixed);
    add(lines, "state copies", group.fixed * (blocks - 1));
    add(lines, "state padding", group.pagePadding * blocks);
}

void addTokens(std::vector<NamedBytes>& lines, const CacheGroup& group, Tokens length, std::int64_t blocks)
{
    const std::int64_t needed = group.needed(length).count();
    const std::int64_t steady = group.steadyBlocks(length).count();
    const std::int64_t block = group.blockTokens.count();
    const std::int64_t plainBlock = group.plainBlockTokens.count();
    // A longer block costs nothing beyond its longer tail.
    const std::int64_t tail = checkedMultiply(steady, block) - needed;
    const std::int64_t plainTail
        = group.cap.count() > 0 || plainBlock >= block ? tail : ceilDivide(needed, plainBlock) * plainBlock - needed;
    add(lines, payloadName, (group.perToken - group.replicatedPerToken) * needed);
    add(lines, "replication", group.replicatedPerToken * needed);
    add(lines, "block tail", group.perToken * std::min(tail, plainTail));
    add(lines, "page unification", group.perToken * std::max<std::int64_t>(0, tail - plainTail));
    add(lines, "in-flight reserve", group.perToken * checkedMultiply(blocks - steady, block));
    add(lines, "page unification", group.pagePadding * blocks);
}

} // namespace

Bytes CacheGroup::blockBytes() const
{
    return perToken * blockTokens.count() + fixed + pagePadding + layerPadding;
}

Tokens CacheGroup::needed(Tokens length) const
{
    return fixedBlocks > 0 ? steadyCap : capped(onRank(length, ranks), steadyCap);
}

Blocks CacheGroup::blocks(Tokens length) const
{
    return blocksOf(*this, length, cap);
}

Blocks CacheGroup::steadyBlocks(Tokens length) const
{
    return std::min(blocksOf(*this, length, steadyCap), blocks(length));
}

Blocks CachePool::perSequence(Tokens length) const
{
    Blocks sum;
    for (const CacheGroup& group : groups) {
        sum += group.blocks(length);
    }
    return sum;
}

Blocks CachePool::steadyPerSequence(Tokens length) const
{
    Blocks sum;
    for (const CacheGroup& group : groups) {
        sum += group.steadyBlocks(length);
    }
    return sum;
}

std::vector<NamedBytes> takenBy(const CachePool& pool, Tokens length)
{
    std::vector<NamedBytes> lines{{payloadName, Bytes(0)}};
    for (const CacheGroup& group : pool.groups) {
        const std::int64_t blocks = group.blocks(length).count();
        if (group.fixed.count() > 0) {
            addStates(lines, group, blocks);
        } else {
            addTokens(lines, group, length, blocks);
        }
        add(lines, "padding layers", group.layerPadding * blocks);
    }
    return lines;
}

} // namespace kvplan
