// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cache/format.h"
#include "core/catalogue/accelerator.h"
#include "core/error.h"
#include "core/model/architecture.h"
#include "core/workload/mix.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kvplan {

/// Whose admission and accounting rules a plan follows.
enum class Engine {
    Simple, ///< the field's rule of thumb: capacity less headroom, overhead on top of the raw cache
};

std::string_view name(Engine engine);

/// Every input of a plan, with its unit in its name. A value: copying it copies everything. An empty optional means
/// "not given": the model's own figure, the card's, or the engine's default stands in (see effective() in fields.h).
/// Default-constructed it is the worked example of the field: 24 sequences of 8,192 tokens on 80 GiB.
struct Scenario {
    // Model. Shape figures given here lie on top of `model`, or of 32 layers, 32 query heads, 8 KV heads of width 128.
    std::optional<Architecture> model;
    std::optional<std::int64_t> layers;
    std::optional<std::int64_t> queryHeads;
    std::optional<std::int64_t> kvHeads;
    std::optional<std::int64_t> headDim;
    std::optional<std::int64_t> valueHeadDim;
    std::optional<std::int64_t> windowTokens; ///< 0: no sliding window
    std::optional<std::int64_t> globalEvery; ///< every n-th layer is full attention; 0: none is
    std::optional<std::int64_t> mlaRank; ///< 0: not latent
    std::optional<std::int64_t> mlaRopeDim;
    std::optional<double> parametersB; ///< 10⁹ parameters
    std::optional<double> activeParametersB;

    // Cache.
    CacheFormat keyFormat = CacheFormat::Bf16;
    CacheFormat valueFormat = CacheFormat::Bf16;
    std::optional<std::int64_t> blockTokens;

    // Workload.
    std::int64_t contextTokens = 8192;
    std::optional<std::int64_t> maxModelLenTokens;
    std::int64_t concurrency = 24; ///< active sequences over all replicas
    std::int64_t sharedPrefixTokens = 0;
    std::int64_t prefixGroups = 1;
    std::optional<LengthDistribution> prompt; ///< prompt and output are given together or not at all
    std::optional<LengthDistribution> output;
    double confidence = 0.99;

    // Accelerator.
    std::optional<Accelerator> accelerator;
    std::optional<double> capacityGib;
    std::optional<double> headroomPercent;
    double overheadPercent = 10;

    // Engine.
    Engine engine = Engine::Simple;
    std::optional<double> kvPoolGib;
    std::optional<double> weightsGib; ///< of the whole model
    std::optional<std::string> weightFormat;
    std::optional<double> activationGib; ///< per accelerator, like the two after it
    std::optional<double> graphsGib;
    std::optional<double> otherGib;
    std::optional<std::int64_t> maxBatchedTokens;
    std::optional<std::int64_t> maxSequences;

    // Parallelism.
    std::int64_t tensorParallel = 1;
    std::int64_t pipelineParallel = 1;
    std::int64_t decodeContextParallel = 1;
    std::int64_t replicas = 1;

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

/// The architecture a scenario plans for: `model` with the given shape figures laid over it, or a uniform decoder of
/// that shape. Refuses shapes that contradict themselves (KV heads that do not divide query heads, a cache format that
/// cannot hold a row of that width, a latent rank without …), naming both figures.
Result<Architecture> resolveArchitecture(const Scenario& scenario);

/// Whether the weights are known, so that the budget names them and the headroom defaults to 0.
bool weightsKnown(const Scenario& scenario);

} // namespace kvplan
