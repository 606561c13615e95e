// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvplan {

/// Layers of one rank that share a block table: a sequence takes the same number of blocks in each of them. Bytes are
/// those of all its layers together.
struct CacheGroup {
    std::string name; ///< "full", "sliding 1024", "recurrent", …
    std::int64_t layers = 0;
    std::int64_t paddingLayers = 0; ///< slots that hold no layer
    Tokens blockTokens{1};
    Tokens plainBlockTokens{1}; ///< the block before its page was matched to another group's

    // What a block holds: perToken for each of its tokens, or `fixed` for a state; the rest of it is waste.
    Bytes perToken;
    Bytes fixed;
    Bytes pagePadding; ///< bytes of a block that its layers never use
    Bytes layerPadding; ///< bytes of a block that stand for padding layers

    // How many blocks a sequence takes.
    std::int64_t ranks = 1; ///< decode-context ranks that divide its tokens
    Tokens cap; ///< tokens kept at most while a prompt is computed; 0: no cap
    Tokens steadyCap; ///< tokens kept at most while decoding
    std::int64_t extraBlocks = 0; ///< on top, for a window that does not start at a block's edge
    std::int64_t fixedBlocks = 0; ///< instead of all this, whatever the length; 0: grows

    // Bytes that tensor parallelism could not divide, of perToken and of fixed.
    Bytes replicatedPerToken;
    Bytes replicatedFixed;

    Bytes blockBytes() const; ///< what one block takes in the pool, padding included
    Tokens needed(Tokens length) const; ///< tokens of this rank that are ever read again
    Blocks blocks(Tokens length) const; ///< at most, while the prompt is computed
    Blocks steadyBlocks(Tokens length) const; ///< once it decodes
};

/// Blocks of one size, handed out to the groups that draw on them. One rank's.
struct CachePool {
    std::string name;
    Bytes blockBytes;
    Blocks blocks;
    Blocks reserved; ///< of them, never given to a sequence
    std::vector<CacheGroup> groups;

    Blocks perSequence(Tokens length) const;
    Blocks steadyPerSequence(Tokens length) const;
};

/// A named part of what a sequence takes.
struct NamedBytes {
    std::string name;
    Bytes bytes;

    friend bool operator==(const NamedBytes&, const NamedBytes&) = default;
};

/// What a sequence of `length` tokens takes in one pool: the payload first, then every waste that is not zero. They add
/// up to perSequence(length) · blockBytes exactly.
std::vector<NamedBytes> takenBy(const CachePool& pool, Tokens length);

/// The name of the payload's line in takenBy().
constexpr const char* payloadName = "payload";

} // namespace kvplan
