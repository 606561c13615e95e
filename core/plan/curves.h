// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace kvplan {

/// A point of a curve; what x and y are the curve's function says.
struct CurvePoint {
    double x = 0;
    double y = 0;
};

struct Curve {
    std::string label; ///< "GQA bf16"
    bool chosen = false; ///< the scenario's own
    std::vector<CurvePoint> points;
};

/// Full sequences (real, over all replicas) against context in tokens: the scenario's heads and formats, the same with
/// MHA and MQA heads where the model has heads at all, and an 8-bit cache beside it. Points lie at powers of two and at
/// the scenario's own context. Everything but the cache's cost is the scenario's own budget.
std::vector<Curve> concurrencyAgainstContext(const Scenario& scenario, const Plan& plan);

/// The batch from which a decode step at this context is bound by arithmetic, not by memory: the roofline's ridge. For
/// the linear layers weights are read once a step and each sequence does 2 · active parameters flops, so the ridge is
/// B = peak · bytes per parameter / (2 · bandwidth). Attention's own intensity does not grow with the batch.
/// Empty where the card's rates are not known. Source: Williams et al. 2009; Pope et al. 2022.
struct Ridge {
    double sequences = 0;
    double flopsPerSecond = 0;
    double bytesPerSecond = 0;
    std::string basis; ///< whose rates
};
std::optional<Ridge> ridgeBatch(const Scenario& scenario, const Plan& plan);

/// Bytes a token for every format this model's rows allow, at the scenario's context (one logical copy).
struct FormatCost {
    CacheFormat format;
    double bytesPerToken = 0;
    std::int64_t fullSequences = 0;
    bool chosen = false;
};
std::vector<FormatCost> costByFormat(const Scenario& scenario, const Plan& plan);

/// Block size against what it costs: the tail of one sequence at this context, its mean over all contexts, the bound
/// k, in tokens, and the bytes of block tables (4 bytes a block) for the asked sequences.
struct BlockSizeCost {
    std::int64_t blockTokens = 0;
    std::int64_t tailTokens = 0; ///< k⌈S/k⌉ − S
    double meanTailTokens = 0; ///< (k − 1) / 2
    double wasteFraction = 0; ///< tail / (k⌈S/k⌉)
    double meanWasteFraction = 0; ///< at the mean tail
    std::int64_t tableBytes = 0; ///< all asked sequences
};
std::vector<BlockSizeCost> costByBlockSize(const Scenario& scenario, const Plan& plan);

/// Share of a static batch's slots that do useful work, against the batch size: 1/H_B for exponential outputs, E[O] /
/// E[max of B] for the scenario's own output distribution where it has one. Continuous batching: 1.
std::vector<Curve> staticBatchShare(const Scenario& scenario);

/// Share of the pool in use over context × sequences; values above 1 do not fit. Row-major, rows are sequences.
struct FitMap {
    std::vector<double> contexts; ///< tokens, rising
    std::vector<double> sequences; ///< over all replicas, rising
    std::vector<double> share;
    std::vector<CurvePoint> boundary; ///< context, largest sequences (real) that fit
};
FitMap fitMap(const Scenario& scenario, const Plan& plan);

} // namespace kvplan
