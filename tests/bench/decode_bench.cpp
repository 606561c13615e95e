// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/host_session.h"
#include "gpu/host/kernel_rate.h"
#include "gpu/host/probe.h"
#include "gpu/host/system_memory.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace kvplan;

/// One layer of eight KV heads of width 128, eight sequences of 8,192 tokens: 256 MiB in bf16.
MeasureRequest benchRequest(CacheFormat format, std::int64_t group)
{
    MeasureRequest request;
    request.shapes = {{1, 8 * group, 8, 128, 128, 0, false}};
    request.format = format;
    request.context = Tokens(8191);
    request.sequences = 8;
    return request;
}

/// A decode step beside a read probe over the same memory, in turn. read_share is the median of their ratios,
/// kernel_share the kernel's rate in cache against the multiply-add probe.
void decodeStep(benchmark::State& state, CacheFormat format, std::int64_t group)
{
    const MeasureRequest request = benchRequest(format, group);
    const ProcessorInfo processor = processorInfo();
    auto session = HostSession::create(request, 1, processor.threads);
    if (!session) {
        state.SkipWithError(session.error().what.c_str());
        return;
    }
    session->fill(Bytes(0), session->layout().pool);
    const auto bytes = static_cast<double>(kvBytesPerStep(request, session->layout()).count());
    const auto flops = static_cast<double>(flopsPerStep(request, session->layout()));
    const std::span<const std::byte> pool(
        session->pool().data(), static_cast<std::size_t>(session->pool().size().count()));
    const double kernel = kernelRate(*session, processor.level2);
    const double fma = fmaRate(3);
    std::vector<double> shares;
    std::vector<double> additive;
    for (auto _ : state) {
        const double read = readBandwidth(pool);
        const auto start = std::chrono::steady_clock::now();
        session->beginStep();
        session->runLayer(0, 0);
        session->endStep();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        state.SetIterationTime(seconds);
        shares.push_back(bytes / seconds / read);
        additive.push_back((bytes / read + flops / kernel) / seconds);
    }
    std::ranges::sort(shares);
    std::ranges::sort(additive);
    state.counters["read_share"] = shares[shares.size() / 2];
    state.counters["additive_share"] = additive[additive.size() / 2];
    state.counters["kernel_share"] = kernel / fma;
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
}

const int registered = [] {
    for (const CacheFormat format : {CacheFormat::Bf16, CacheFormat::Fp16, CacheFormat::Fp32, CacheFormat::Int8}) {
        for (const std::int64_t group : {1, 2, 4, 8, 16}) {
            const std::string title = "decode/" + std::string(name(format)) + "/group:" + std::to_string(group);
            benchmark::RegisterBenchmark(title.c_str(), decodeStep, format, group)
                ->UseManualTime()
                ->Unit(benchmark::kMillisecond)
                ->Iterations(15);
        }
    }
    return 0;
}();

} // namespace
