// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/accelerator.h"
#include "core/error.h"
#include "core/model/architecture.h"
#include "core/scenario/scenario.h"
#include "core/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvplan {

/// What the cache costs. Figures count one logical copy of the whole model, but for the `PerGpu` ones, which are
/// physical bytes on the tightest accelerator, replication included.
struct KvFigures {
    double bytesPerToken = 0; ///< average at the context, recurrent state left out, indexers included
    Bytes allLayersBytesPerToken; ///< a token while every window still grows
    Bytes marginalBytesPerToken; ///< one more token past every window
    double poolBytesPerToken = 0; ///< pool ÷ the engine's token count
    Bytes stateBytesPerSequence; ///< recurrent state and cross attention
    Bytes bytesPerSequence; ///< all of it at the context, as the engine keeps it
    Bytes rawBytes; ///< concurrency × bytesPerSequence
    Bytes withOverheadBytes;
    double bytesPerTokenPerGpu = 0;
    Bytes bytesPerSequencePerGpu;
    Bytes sharedBytesPerGpu; ///< of one sequence, the part that whole shared blocks hold; paid once a tenant
};

struct BudgetLine {
    std::string name;
    Bytes bytes; ///< positive; the first line is the capacity, the others are taken from it
    Bytes low;
    Bytes high;
    Basis basis = Basis::Computed;
    std::string formula; ///< with its values in it
};

/// Memory of the tightest accelerator. usable may be negative: then not even the weights fit.
struct Budget {
    Bytes capacity;
    Bytes usable; ///< the pool: what the cache, with its overhead, may take
    std::vector<BudgetLine> lines;
};

struct Waste {
    std::string name;
    Bytes bytes;
};

/// The paged cache on the tightest accelerator.
struct Paging {
    Tokens blockTokens;
    Bytes blockBytes; ///< one block through all layers of the accelerator, every window still growing
    Blocks poolBlocks;
    Blocks blocksPerSequence; ///< ⌈S / k⌉, and fewer where windows keep less than that
    Tokens tailTokensPerSequence; ///< k⌈S/k⌉ − S
    std::vector<Waste> waste; ///< at the asked concurrency
    Bytes liveBytes; ///< what the asked sequences hold, shared prefixes once a tenant
    Bytes liveWithOverhead;
};

/// Sequences over all replicas. worstCase is at full length by the engine's own rule; see cli.md for each.
struct Concurrency {
    std::int64_t fullSequences = 0;
    double worstCase = 0;
    double steadyState = 0;
    std::optional<double> meanField; ///< needs a mix
    std::optional<std::int64_t> atConfidence; ///< needs a mix
    std::optional<double> meanResidentTokens; ///< of a decoding sequence, length-biased
};

enum class Limit { Kv, Weights, Sequences, State };
std::string_view name(Limit limit);

struct Advice {
    std::string change; ///< "fp8 cache"
    std::string from; ///< "bf16"
    std::string to; ///< "fp8"
    std::int64_t fullSequences = 0;
};

/// What a scenario comes to.
struct Plan {
    Architecture architecture;
    KvFigures kv;
    Budget budget;
    Paging paging;
    Concurrency concurrency;
    std::string engineName;
    std::string engineVersion;
    std::int64_t reportedTokens = 0;
    double reportedConcurrency = 0;
    std::int64_t asked = 0;
    std::int64_t maxSequences = 0; ///< of all replicas
    std::int64_t accelerators = 0;
    bool fits = false;
    Limit bindingLimit = Limit::Kv;
    std::string verdict; ///< one sentence, always true
    std::vector<Advice> advice; ///< best first
    std::vector<std::string> warnings;
    std::vector<std::string> assumptions;
};

/// Plans a scenario. Pure; tens of microseconds, under a millisecond with a request mix. Fails when the shape
/// contradicts itself or a figure does not fit 64 bits.
Result<Plan> plan(const Scenario& scenario);

} // namespace kvplan
