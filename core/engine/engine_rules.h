// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/cache_pool.h"
#include "core/engine/engine_budget.h"
#include "core/engine/engine_setup.h"
#include "core/engine/engine_version.h"
#include "core/error.h"
#include "core/model/architecture.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvplan {

/// A figure under the name that reports use for it ("k_bytes", "cells"): a count or bytes, as the name's end says.
struct EngineFigure {
    std::string key;
    std::int64_t value = 0;
};

/// What an engine makes of one rank's pool.
struct EngineAccount {
    std::vector<CachePool> pools; ///< a sequence draws on all of them
    Tokens reportedTokens; ///< the engine's own count of tokens, as it prints it
    double reportedConcurrency = 0; ///< sequences of full length, as it prints them
    double worstCase = 0; ///< sequences of full length it can hold while all their prompts are computed
    double steadyState = 0; ///< the same while all decode
    std::vector<NamedBytes> sequence; ///< what one of full length takes: the payload, then waste by name
    std::vector<NamedBytes> poolWaste; ///< what no sequence can use
    std::vector<EngineFigure> figures; ///< further figures the engine prints
    std::vector<std::string> notes; ///< what the rules assume, a clause each

    Bytes sequenceBytes(Tokens length) const;
    Bytes steadyBytes(Tokens length) const;
};

/// An engine's accounting. A new engine is one of these, and one line in the table of engineRules().
struct EngineRules {
    std::string_view name; ///< as the command line spells it
    EngineVersion oldest; ///< known rules: an older version takes these
    EngineVersion newest; ///< a newer one takes these

    /// Accounts for one rank. Refuses shapes and settings that the engine refuses or whose rule is not known.
    Result<EngineAccount> (*account)(const Architecture&, const EngineSetup&, const EngineVersion&);
    /// The budget in front of the pool, on one rank.
    Budget (*budget)(const EngineMemory&, const EngineVersion&);
};

std::span<const EngineRules> engineRules();
const EngineRules* findEngineRules(std::string_view name);

/// The version whose rules apply, and what to say about that aloud.
struct ChosenVersion {
    EngineVersion version;
    std::string note; ///< empty when the version asked for is a known one
};

/// No text: the newest known. A text without a number, or beyond the known range: the nearest, with a note.
ChosenVersion chooseVersion(const EngineRules& rules, std::string_view text);

/// Fills worstCase, steadyState and the two lists of bytes from the pools, for sequences of `length`. Blocks that are
/// reserved count as pool waste, as does what of `memory` made no whole block.
void settle(EngineAccount& account, Tokens length, Bytes memory);

Result<EngineAccount> accountVllm(const Architecture&, const EngineSetup&, const EngineVersion&);
Result<EngineAccount> accountSglang(const Architecture&, const EngineSetup&, const EngineVersion&);
Result<EngineAccount> accountTensorRt(const Architecture&, const EngineSetup&, const EngineVersion&);
Result<EngineAccount> accountLlamaCpp(const Architecture&, const EngineSetup&, const EngineVersion&);

} // namespace kvplan
