// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/footprint.h"
#include "core/scenario/fields.h"
#include "gpu/cache_layout.h"
#include "gpu/measurement.h"

#include <fmt/format.h>

#include <variant>

namespace kvplan {

namespace {

tl::unexpected<Error> cannotRun(std::string what, std::string mend)
{
    return failure(ErrorCode::Unsupported, std::move(what), "measure", std::move(mend));
}

constexpr const char* otherModel
    = "plan it without measuring, or choose a model with full, sliding or latent attention";

/// The shape that one tensor-parallel rank of `tensor` keeps of a layer kind, with `queryHeads` query heads of its own.
struct ShapeOfKind {
    std::int64_t queryHeads;
    std::int64_t tensor;

    Result<LayerShape> operator()(const FullAttention& kind) const
    {
        return kind.indexerDim > 0 ? indexer() : heads(kind.kvHeads, kind.keyDim, kind.valueDim, 0);
    }
    Result<LayerShape> operator()(const SlidingAttention& kind) const
    {
        return heads(kind.kvHeads, kind.keyDim, kind.valueDim, kind.window.count());
    }
    Result<LayerShape> operator()(const ChunkedAttention& kind) const
    {
        return heads(kind.kvHeads, kind.keyDim, kind.valueDim, kind.chunk.count()); // a full chunk: its largest read
    }
    Result<LayerShape> operator()(const LatentAttention& kind) const
    {
        if (kind.indexerDim > 0) {
            return indexer();
        }
        return LayerShape{0, queryHeads, 1, kind.rank + kind.ropeDim, kind.rank, 0, true};
    }
    Result<LayerShape> operator()(const CompressedAttention&) const { return unknown("compressed attention"); }
    Result<LayerShape> operator()(const CrossAttention&) const { return unknown("cross attention"); }
    Result<LayerShape> operator()(const RecurrentState&) const { return unknown("recurrent state"); }
    Result<LayerShape> operator()(const SharedCache&) const { return unknown("layers that share a cache"); }

private:
    Result<LayerShape> heads(
        std::int64_t kvHeads, std::int64_t keyDim, std::int64_t valueDim, std::int64_t window) const
    {
        return LayerShape{
            0, queryHeads, std::max<std::int64_t>(1, ceilDivide(kvHeads, tensor)), keyDim, valueDim, window, false};
    }
    static Result<LayerShape> indexer()
    {
        return cannotRun("sparse attention's indexer cannot be measured yet", otherModel);
    }
    static Result<LayerShape> unknown(const char* kind)
    {
        return cannotRun(fmt::format("{} cannot be measured yet", kind), otherModel);
    }
};

} // namespace

Result<MeasureRequest> measureRequest(const Scenario& scenario)
{
    return guarded("the cache to measure", [&]() -> Result<MeasureRequest> {
        const auto architecture = resolveArchitecture(scenario);
        if (!architecture) {
            return tl::unexpected(architecture.error());
        }
        if (scenario.keyFormat != scenario.valueFormat) {
            return cannotRun(fmt::format("keys in {} and values in {} cannot be measured together",
                                 name(scenario.keyFormat), name(scenario.valueFormat)),
                "choose one format for both");
        }
        if (scenario.decodeContextParallel > 1) {
            return cannotRun("decode-context parallelism cannot be measured on one device", "set dcp to 1");
        }
        const std::int64_t tensor = scenario.tensorParallel;
        const std::int64_t queryHeads = architecture->queryHeads;
        if (tensor < 1 || scenario.replicas < 1 || queryHeads % tensor != 0) {
            return cannotRun(
                fmt::format("{} query heads do not divide over {} tensor-parallel ranks", queryHeads, tensor),
                "choose a tp that divides the query heads");
        }

        MeasureRequest request;
        request.format = scenario.keyFormat;
        request.blockTokens = blockTokensOf(scenario);
        // A plan's context counts every cached token, and a step's own token is cached before it is attended to.
        request.context = Tokens(std::max<std::int64_t>(scenario.contextTokens - 1, 0));
        request.sequences = ceilDivide(scenario.concurrency, scenario.replicas);
        const std::vector<std::int64_t> layers = tightestStage(*architecture, formatsOf(scenario), shardingOf(scenario),
            scenario.pipelineParallel, Tokens(scenario.contextTokens));
        for (std::size_t i = 0; i < layers.size(); ++i) {
            auto shape = std::visit(ShapeOfKind{queryHeads / tensor, tensor}, architecture->groups[i].kind);
            if (!shape) {
                return tl::unexpected(shape.error());
            }
            shape->layers = layers[i];
            if (shape->layers > 0) {
                request.shapes.push_back(*shape);
            }
        }
        if (const auto checked = checkRequest(request); !checked) {
            return tl::unexpected(checked.error());
        }
        return request;
    });
}

} // namespace kvplan
