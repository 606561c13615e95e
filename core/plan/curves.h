// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <cstdint>
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
    std::string label; ///< "GQA 4:1 bf16"
    bool chosen = false; ///< the scenario's own
    std::vector<CurvePoint> points;
};

/// Full sequences (real, over all replicas) against context in tokens: the scenario's own, the same with MHA and MQA
/// heads where the model caches heads, and an 8-bit cache beside them. Points lie at powers of two from 512 to 2^20 and
/// at the scenario's own context. All but the cache's cost is the plan's own pool. The chosen curve comes first.
std::vector<Curve> concurrencyAgainstContext(const Scenario& scenario, const Plan& plan);

/// The batch from which the linear layers of a decode step are bound by arithmetic, not by reading weights: each step
/// reads every weight once, each sequence does 2 flops a parameter, so B = peak · bytes a parameter / (2 · bandwidth).
/// The scenario's own card, or H100 SXM where none is named. Empty where the card's rates are not known.
/// Source: Williams et al. 2009 (roofline); Pope et al. 2022.
struct Ridge {
    double sequences = 0;
    double flopsPerSecond = 0;
    double bytesPerSecond = 0;
    double bytesPerParameter = 0;
    std::string basis; ///< whose rates
};
std::optional<Ridge> ridgeBatch(const Scenario& scenario);

/// One cache format beside the others: average bytes a token at the scenario's context, one logical copy.
struct FormatCost {
    CacheFormat format = CacheFormat::Bf16;
    double bytesPerToken = 0;
    std::int64_t fullSequences = 0;
    bool chosen = false;
};
/// Every format this model's rows allow, for keys and values alike, by falling bytes.
std::vector<FormatCost> costByFormat(const Scenario& scenario, const Plan& plan);

/// What a block size costs: tokens wasted at the end of one sequence, and the block table's bytes (4 a block).
struct BlockSizeCost {
    std::int64_t blockTokens = 0;
    std::int64_t tailTokens = 0; ///< k⌈S/k⌉ − S at the scenario's context
    double meanTailTokens = 0; ///< (k − 1) / 2 over all contexts
    std::int64_t boundTokens = 0; ///< k − 1
    std::int64_t tableBytes = 0; ///< of one sequence
};
/// Powers of two from 1 to 256.
std::vector<BlockSizeCost> costByBlockSize(const Scenario& scenario);

/// Share of a static batch's slots that do useful work against the batch, 1 to 256: 1/H_B for exponential outputs
/// first, then the scenario's own output distribution where it has one. Continuous batching refills slots: its share
/// is 1.
std::vector<Curve> staticBatchShare(const Scenario& scenario);

/// Share of the pool in use over contexts × sequences; above 1 does not fit. Row-major; a row is one number of
/// sequences. Axes are geometric, four steps an octave.
struct FitMap {
    std::vector<double> contexts; ///< tokens, rising
    std::vector<double> sequences; ///< over all replicas, rising
    std::vector<double> share;
    std::vector<CurvePoint> boundary; ///< context, largest number of sequences (real) that fits
};
FitMap fitMap(const Scenario& scenario, const Plan& plan);

} // namespace kvplan
