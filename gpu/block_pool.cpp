// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/block_pool.h"

#include "core/cache/paging.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace kvplan {

BlockPool::BlockPool(Blocks total, Tokens blockTokens, std::uint64_t seed)
    : m_total(total)
    , m_blockTokens(blockTokens)
    , m_free(static_cast<std::size_t>(total.count()))
{
    std::iota(m_free.begin(), m_free.end(), 0);
    std::shuffle(m_free.begin(), m_free.end(), std::mt19937_64(seed));
}

BlockPool::Sequence BlockPool::add()
{
    m_sequences.emplace_back();
    return m_sequences.size() - 1;
}

bool BlockPool::extend(Sequence sequence, Tokens length, Tokens firstKept)
{
    Owner& owner = m_sequences[sequence];
    const auto had = static_cast<std::int64_t>(owner.table.size());
    const std::int64_t end = std::max(had, blocksFor(length, m_blockTokens).count());
    const std::int64_t first = std::clamp(firstKept.count() / m_blockTokens.count(), owner.firstHeld, end);
    const std::int64_t returned = std::min(first, had) - owner.firstHeld;
    const std::int64_t taken = end - std::max(first, had);
    if (taken > free().count() + std::max<std::int64_t>(returned, 0)) {
        return false;
    }
    giveBack(owner, owner.firstHeld, std::min(first, had));
    owner.firstHeld = first;
    owner.table.resize(static_cast<std::size_t>(end), noBlock);
    for (std::int64_t block = std::max(first, had); block < end; ++block) {
        owner.table[static_cast<std::size_t>(block)] = m_free.back();
        m_free.pop_back();
    }
    owner.length = std::max(owner.length, length);
    return true;
}

void BlockPool::truncate(Sequence sequence, Tokens length)
{
    Owner& owner = m_sequences[sequence];
    if (length >= owner.length) {
        return;
    }
    const std::int64_t end = blocksFor(length, m_blockTokens).count();
    giveBack(owner, std::max(end, owner.firstHeld), static_cast<std::int64_t>(owner.table.size()));
    owner.firstHeld = std::min(owner.firstHeld, end);
    owner.table.resize(static_cast<std::size_t>(end));
    owner.length = length;
}

void BlockPool::giveBack(Owner& owner, std::int64_t from, std::int64_t to)
{
    for (std::int64_t block = from; block < to; ++block) {
        std::int32_t& entry = owner.table[static_cast<std::size_t>(block)];
        m_free.push_back(entry);
        entry = noBlock;
    }
}

std::string BlockPool::brokenInvariant() const
{
    std::vector<int> holders(static_cast<std::size_t>(m_total.count()), 0);
    for (const std::int32_t block : m_free) {
        ++holders[static_cast<std::size_t>(block)];
    }
    for (std::size_t i = 0; i < m_sequences.size(); ++i) {
        const Owner& owner = m_sequences[i];
        if (blocksFor(owner.length, m_blockTokens).count() != static_cast<std::int64_t>(owner.table.size())) {
            return fmt::format(
                "sequence {} of {} tokens has {} blocks in its table", i, owner.length.count(), owner.table.size());
        }
        for (std::size_t block = 0; block < owner.table.size(); ++block) {
            const bool held = static_cast<std::int64_t>(block) >= owner.firstHeld;
            if (held != (owner.table[block] != noBlock)) {
                return fmt::format("sequence {} {} its logical block {}", i, held ? "lacks" : "still holds", block);
            }
            if (held) {
                ++holders[static_cast<std::size_t>(owner.table[block])];
            }
        }
    }
    const auto wrong = std::ranges::find_if(holders, [](int count) { return count != 1; });
    return wrong == holders.end() ? std::string()
                                  : fmt::format("block {} has {} holders", wrong - holders.begin(), *wrong);
}

} // namespace kvplan
