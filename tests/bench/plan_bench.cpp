// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/curves.h"
#include "core/plan/plan.h"
#include "core/scenario/fields.h"
#include "core/scenario/scenario_file.h"
#include "core/workload/mix.h"

#include <benchmark/benchmark.h>

using namespace kvplan;

namespace {

Scenario example()
{
    return {};
}

/// The worked example with a chat mix, so that all three capacities are computed.
Scenario withMix()
{
    Scenario scenario;
    static_cast<void>(setText(scenario, Field::Prompt, "lognormal:1155,3500"));
    static_cast<void>(setText(scenario, Field::Output, "exponential:211"));
    return scenario;
}

/// 60 layers of three kinds over ranks and stages.
Scenario hybrid()
{
    Scenario scenario;
    Architecture model;
    model.name = "hybrid";
    model.layers = 60;
    model.queryHeads = 32;
    model.groups = {{40, SlidingAttention{16, 256, 256, Tokens(1024)}}, {10, FullAttention{4, 512, 512}},
        {10, RecurrentState{1048576, 30720, 4, 2}}};
    for (std::int32_t layer = 0; layer < 60; ++layer) {
        model.order.push_back(layer % 6 < 4 ? 0 : layer % 6 - 3);
    }
    scenario.model = model;
    scenario.weightsGib = 55;
    scenario.tensorParallel = 4;
    scenario.pipelineParallel = 2;
    return scenario;
}

void planOf(benchmark::State& state, Scenario (*make)())
{
    Scenario scenario = make();
    for (auto _ : state) {
        scenario.contextTokens = 8192 + (scenario.contextTokens + 1) % 64; // a slider that moves
        benchmark::DoNotOptimize(plan(scenario));
    }
}
BENCHMARK_CAPTURE(planOf, worked_example, example)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(planOf, hybrid_model, hybrid)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(planOf, with_a_request_mix, withMix)->Unit(benchmark::kMicrosecond);

template <class Curves> void curvesOf(benchmark::State& state, Curves curves)
{
    const Scenario scenario = withMix();
    const Plan result = *plan(scenario);
    for (auto _ : state) {
        benchmark::DoNotOptimize(curves(scenario, result));
    }
}
BENCHMARK_CAPTURE(curvesOf, context, concurrencyAgainstContext)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(curvesOf, fit_map, fitMap)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(curvesOf, formats, costByFormat)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(curvesOf, block_sizes, [](const Scenario& s, const Plan&) {
    return costByBlockSize(s);
})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(curvesOf, static_batches, [](const Scenario& s, const Plan&) {
    return staticBatchShare(s);
})->Unit(benchmark::kMicrosecond);

void parseLengths(benchmark::State& state, const char* text)
{
    for (auto _ : state) {
        benchmark::DoNotOptimize(LengthDistribution::parse(text));
    }
}
BENCHMARK_CAPTURE(parseLengths, lognormal, "lognormal:1155,3500")->Unit(benchmark::kMicrosecond);

void residence(benchmark::State& state)
{
    const Scenario scenario = withMix();
    for (auto _ : state) {
        benchmark::DoNotOptimize(Residence::of({*scenario.prompt, *scenario.output}));
    }
}
BENCHMARK(residence)->Unit(benchmark::kMicrosecond);

/// In a pool of so many mean residences.
void confidence(benchmark::State& state)
{
    const Scenario scenario = withMix();
    const auto held = Residence::of({*scenario.prompt, *scenario.output});
    const double pool = held->meanTokens() * static_cast<double>(state.range(0));
    for (auto _ : state) {
        benchmark::DoNotOptimize(sequencesAtConfidence(held->points(), pool, 0.99));
    }
}
BENCHMARK(confidence)->RangeMultiplier(10)->Range(10, 1000000)->Unit(benchmark::kMicrosecond);

void scenarioFile(benchmark::State& state)
{
    const ScenarioDocument document{hybrid(), {}};
    for (auto _ : state) {
        benchmark::DoNotOptimize(readScenario(writeScenario(document), "bench"));
    }
}
BENCHMARK(scenarioFile)->Unit(benchmark::kMicrosecond);

} // namespace
