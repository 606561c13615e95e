// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/paging.h"

#include <algorithm>

namespace kvplan {

Blocks blocksFor(Tokens context, Tokens block)
{
    return Blocks(ceilDivide(context.count(), block.count()));
}

Tokens tailTokens(Tokens context, Tokens block)
{
    return block * blocksFor(context, block).count() - context;
}

Tokens pagedWaste(std::span<const Tokens> contexts, Tokens block)
{
    Tokens sum;
    for (const Tokens context : contexts) {
        sum += tailTokens(context, block);
    }
    return sum;
}

Tokens contiguousWaste(std::span<const Tokens> contexts, Tokens longest)
{
    Tokens sum;
    for (const Tokens context : contexts) {
        sum += longest - context;
    }
    return sum;
}

Tokens sharableTokens(Tokens prefix, Tokens block)
{
    return block * (prefix.count() / block.count());
}

Blocks blocksWithSharing(std::int64_t sequences, Tokens context, Tokens prefix, std::int64_t groups, Tokens block)
{
    const Blocks shared(std::min(prefix, context).count() / block.count());
    const Blocks own = blocksFor(context, block) - shared;
    return shared * std::min(groups, sequences) + own * sequences;
}

} // namespace kvplan
