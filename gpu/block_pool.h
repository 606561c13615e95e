// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/units.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kvplan {

/// Blocks of one cache pool and which sequence holds which: a free list and a block table for each sequence. Physical
/// blocks are handed out in a random order fixed by the seed. It keeps no cache memory itself.
class BlockPool {
public:
    using Sequence = std::size_t;

    /// Stands in a table for a block that a window has left behind; no kernel may read it.
    static constexpr std::int32_t noBlock = INT32_MAX;

    /// `total` blocks (below 2³¹ − 1) of `blockTokens` tokens.
    BlockPool(Blocks total, Tokens blockTokens, std::uint64_t seed);

    /// A new sequence of length 0.
    Sequence add();

    /// Lengthens a sequence to `length` tokens, of which those before `firstKept` are no longer needed: their whole
    /// blocks are given back first. Returns false, and changes nothing, when the pool has too few blocks.
    bool extend(Sequence sequence, Tokens length, Tokens firstKept = Tokens(0));

    /// Shortens a sequence and gives back the blocks behind it.
    void truncate(Sequence sequence, Tokens length);

    /// Gives everything back; the sequence is of length 0 again.
    void release(Sequence sequence) { truncate(sequence, Tokens(0)); }

    Tokens length(Sequence sequence) const { return m_sequences[sequence].length; }
    /// Physical block of each logical block, ⌈length / k⌉ of them; noBlock where a window has passed.
    std::span<const std::int32_t> table(Sequence sequence) const { return m_sequences[sequence].table; }

    std::size_t sequences() const { return m_sequences.size(); }
    Tokens blockTokens() const { return m_blockTokens; }
    Blocks total() const { return m_total; }
    Blocks free() const { return Blocks(static_cast<std::int64_t>(m_free.size())); }
    Blocks used() const { return m_total - free(); }

    /// What is wrong (a block owned twice or lost, a table of the wrong length), or nothing. Linear in the pool.
    std::string brokenInvariant() const;

private:
    struct Owner {
        Tokens length;
        std::int64_t firstHeld = 0; ///< logical block
        std::vector<std::int32_t> table;
    };

    void giveBack(Owner& owner, std::int64_t from, std::int64_t to);

    Blocks m_total;
    Tokens m_blockTokens;
    std::vector<std::int32_t> m_free;
    std::vector<Owner> m_sequences;
};

} // namespace kvplan
