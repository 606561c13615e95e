// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/probe.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gpu/host/probe.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kvplan {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Reads every byte once and returns their combination, so that no read can be left out.
std::uint64_t readAll(const std::byte* at, std::size_t bytes)
{
    const hn::ScalableTag<std::uint64_t> d;
    const std::size_t lanes = hn::Lanes(d);
    const auto* words = reinterpret_cast<const std::uint64_t*>(at);
    const std::size_t count = bytes / sizeof(std::uint64_t);
    auto a = hn::Zero(d);
    auto b = a;
    auto c = a;
    auto e = a;
    std::size_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        a = hn::Xor(a, hn::LoadU(d, words + i));
        b = hn::Xor(b, hn::LoadU(d, words + i + lanes));
        c = hn::Xor(c, hn::LoadU(d, words + i + 2 * lanes));
        e = hn::Xor(e, hn::LoadU(d, words + i + 3 * lanes));
    }
    std::uint64_t rest = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Xor(a, b), hn::Xor(c, e))));
    for (; i < count; ++i) {
        rest ^= words[i];
    }
    return rest;
}

/// `iterations` rounds of twelve independent multiply-adds; returns flops done and stores a result that depends on all.
double multiplyAdd(std::int64_t iterations, float* result)
{
    const hn::ScalableTag<float> d;
    constexpr int chains = 12; // two units of latency four need eight
    hn::Vec<decltype(d)> sums[chains];
    for (int i = 0; i < chains; ++i) {
        sums[i] = hn::Set(d, static_cast<float>(i));
    }
    const auto factor = hn::Set(d, *result);
    const auto term = hn::Set(d, 1e-3F);
    for (std::int64_t round = 0; round < iterations; ++round) {
        for (int i = 0; i < chains; ++i) {
            sums[i] = hn::MulAdd(sums[i], factor, term);
        }
    }
    auto total = hn::Zero(d);
    for (int i = 0; i < chains; ++i) {
        total = hn::Add(total, sums[i]);
    }
    *result = hn::GetLane(hn::SumOfLanes(d, total));
    return 2.0 * chains * static_cast<double>(hn::Lanes(d)) * static_cast<double>(iterations);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace kvplan
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>

namespace kvplan {

HWY_EXPORT(readAll);
HWY_EXPORT(multiplyAdd);

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

template <class Body> void inPieces(std::size_t bytes, Body&& body)
{
    constexpr std::size_t piece = std::size_t{1} << 20;
    oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, (bytes + piece - 1) / piece),
        [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
            const std::size_t from = range.begin() * piece;
            body(from, std::min(range.end() * piece, bytes) - from);
        });
}

std::atomic<std::uint64_t> readSink;

} // namespace

double readBandwidth(std::span<const std::byte> memory)
{
    const auto start = Clock::now();
    inPieces(memory.size(), [&](std::size_t from, std::size_t bytes) {
        readSink.fetch_xor(HWY_DYNAMIC_DISPATCH(readAll)(memory.data() + from, bytes), std::memory_order_relaxed);
    });
    return static_cast<double>(memory.size()) / secondsSince(start);
}

double copyBandwidth(std::span<std::byte> memory, int rounds)
{
    const std::size_t half = memory.size() / 2;
    double best = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto start = Clock::now();
        inPieces(half, [&](std::size_t from, std::size_t bytes) {
            std::memcpy(memory.data() + half + from, memory.data() + from, bytes);
        });
        best = std::max(best, 2.0 * static_cast<double>(half) / secondsSince(start));
    }
    return best;
}

double fmaRate(int rounds)
{
    const int threads = oneapi::tbb::info::default_concurrency();
    constexpr int tasksPerThread = 16; // so that a thread that starts late does not count
    constexpr std::int64_t iterations = 100'000;
    double best = 0;
    for (int round = 0; round < rounds; ++round) {
        std::atomic<double> flops = 0;
        std::atomic<float> sink = 0;
        const auto start = Clock::now();
        oneapi::tbb::parallel_for(0, threads * tasksPerThread, [&](int) {
            float value = 0.5F;
            flops.fetch_add(HWY_DYNAMIC_DISPATCH(multiplyAdd)(iterations, &value));
            sink.store(value);
        });
        best = std::max(best, flops.load() / secondsSince(start));
    }
    return best;
}

} // namespace kvplan
#endif
