// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/units.h"

#include <cstdint>
#include <span>

namespace kvplan {

/// ⌈S / k⌉ blocks of k tokens hold S tokens.
Blocks blocksFor(Tokens context, Tokens block);

/// w(S) = k⌈S/k⌉ − S, the unused tail of the last block: at most k − 1. Source: Kwon et al. 2023.
Tokens tailTokens(Tokens context, Tokens block);

/// Σ w(Sᵢ): below B·k for B sequences.
Tokens pagedWaste(std::span<const Tokens> contexts, Tokens block);

/// Σ (S_max − Sᵢ): what contiguous preallocation to the longest length leaves unused.
Tokens contiguousWaste(std::span<const Tokens> contexts, Tokens longest);

/// The part of a shared prefix that sequences can share: whole blocks only.
Tokens sharableTokens(Tokens prefix, Tokens block);

/// Blocks that `sequences` of `context` tokens take in `groups` tenants which share their first `prefix` tokens within
/// the tenant and nothing between tenants: the shared blocks count once for each tenant that has a sequence.
Blocks blocksWithSharing(std::int64_t sequences, Tokens context, Tokens prefix, std::int64_t groups, Tokens block);

} // namespace kvplan
