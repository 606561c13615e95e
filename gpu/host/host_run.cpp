// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/host_run.h"

#include "gpu/host/host_device.h"
#include "gpu/host/kernel_rate.h"
#include "gpu/host/probe.h"
#include "gpu/host/reference.h"
#include "gpu/host/system_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace kvplan {

namespace {

using Clock = std::chrono::steady_clock;

// Shares of the whole at which the parts of a run begin; touching memory and the steps take nearly all of it.
constexpr double shareAllocate = 0.03;
constexpr double shareVerify = 0.40;
constexpr double shareKernel = 0.45;
constexpr double shareSteps = 0.50;

constexpr Bytes fillAtOnce(std::int64_t{64} << 20);
constexpr Bytes probeAtMost(std::int64_t{1} << 30);
constexpr int warmUpSteps = 2;
constexpr int probeRounds = 5;
constexpr std::size_t sequencesToCheck = 3;
constexpr std::int64_t elementsToCheck = 200'000'000; // for each of them
constexpr double tolerance = 2e-5;

/// The value below which `share` of the sorted samples lie, between neighbours linearly.
double quantile(const std::vector<double>& sorted, double share)
{
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Spread spreadOf(std::vector<double> samples)
{
    std::ranges::sort(samples);
    return {quantile(samples, 0.5), quantile(samples, 0.1), quantile(samples, 0.9)};
}

} // namespace

HostRun::HostRun(
    Measurement& measurement, const AllocationPreview& preview, MeasureProgress progress, std::stop_token stop)
    : m_result(measurement)
    , m_preview(preview)
    , m_progress(std::move(progress))
    , m_stop(std::move(stop))
    , m_residentBefore(processResident())
{
}

Result<void> HostRun::perform()
{
    return probeDevice()
        .and_then([&] { return allocate(); })
        .and_then([&] { return verify(); })
        .and_then([&] { return findKernelRate(); })
        .and_then([&] { return timeSteps(); })
        .map([&] {
            accountMemory();
            predict();
        });
}

Result<void> HostRun::report(double share, const std::string& what) const
{
    if (m_stop.stop_requested()) {
        return failure(ErrorCode::Cancelled, "the measurement was stopped", "measure", "start it again when you like");
    }
    if (m_progress) {
        m_progress(share, what);
    }
    return {};
}

Result<void> HostRun::probeDevice()
{
    if (const auto go = report(0, "probing this machine's rates"); !go) {
        return go;
    }
    auto buffer = Mapping::create(probeBufferSize(m_preview.margin), true);
    if (!buffer) {
        return tl::unexpected(buffer.error());
    }
    m_probeBuffer = std::move(*buffer);
    const std::span<std::byte> bytes(m_probeBuffer.data(), static_cast<std::size_t>(m_probeBuffer.size().count()));
    std::ranges::fill(bytes, std::byte{0x5A});
    m_result.copyBytesPerSecond = copyBandwidth(bytes, probeRounds);
    m_result.fmaFlopsPerSecond = fmaRate(probeRounds);
    if (m_preview.pool >= m_probeBuffer.size()) {
        m_probeBuffer = Mapping(); // the pool itself is large enough to stream over
    }
    return {};
}

Result<void> HostRun::allocate()
{
    auto session = HostSession::create(m_result.request, m_result.layersResident, m_result.threads);
    if (!session) {
        return tl::unexpected(session.error());
    }
    m_session.emplace(std::move(*session));
    m_result.allocatedBytes
        = m_session->pool().mapped() + m_session->tables().mapped() + m_session->workspace().mapped();
    const Bytes pool = m_preview.pool;
    for (Bytes done; done < pool;) {
        const Bytes upTo = std::min(done + fillAtOnce, pool);
        // Others may have taken memory since the preview. Touching what is not there ends the process, so stop before.
        const Bytes available = hostDevice().available;
        if (available < fillAtOnce + Bytes(m_preview.margin.count() / 2)) {
            return failure(ErrorCode::OutOfMemory,
                fmt::format("memory ran low after {:.2f} of {:.2f} GiB: {:.2f} GiB are left", gib(done), gib(pool),
                    gib(available)),
                "measure", "close other programs, or lower the resident layers, the concurrency or the context");
        }
        const double share = ratio(done, pool);
        const auto go = report(shareAllocate + share * (shareVerify - shareAllocate),
            fmt::format("filling the cache: {:.1f} of {:.1f} GiB", gib(done), gib(pool)));
        if (!go) {
            return go;
        }
        m_session->fill(done, upTo);
        done = upTo;
    }
    return {};
}

Result<void> HostRun::verify()
{
    if (!m_result.request.verify) {
        return {};
    }
    HostSession& session = *m_session;
    m_result.checkReference = "double precision, two passes, on the stored elements";
    m_result.checkTolerance = tolerance;
    session.beginStep();
    for (std::size_t shape = 0; shape < session.layout().shapes.size(); ++shape) {
        const ShapeLayout& layout = session.layout().shapes[shape];
        if (layout.residentLayers == 0) {
            continue;
        }
        if (const auto go = report(shareVerify, "checking against the reference"); !go) {
            return go;
        }
        const std::int64_t last = layout.residentLayers - 1;
        session.poisonOutputs();
        session.runLayer(shape, last);
        const std::vector<SequenceView>& sequences = session.sequences(shape);
        const std::size_t checks = std::min(sequences.size(), sequencesToCheck);
        for (std::size_t check = 0; check < checks; ++check) {
            if (const auto go = report(shareVerify, "checking against the reference"); !go) {
                return go;
            }
            const std::size_t s = checks == 1 ? 0 : check * (sequences.size() - 1) / (checks - 1);
            const auto row = static_cast<std::int64_t>(s) * layout.shape.queryHeads;
            const double error = referenceError(session.layer(shape, last), sequences[s],
                session.queries() + row * layout.shape.keyDim, session.outputs() + row * layout.shape.valueDim,
                elementsToCheck);
            // NaN must not pass as the smaller of two.
            m_result.checkRelativeError = std::isnan(error) ? error : std::max(m_result.checkRelativeError, error);
            ++m_result.sequencesChecked;
        }
    }
    session.endStep();
    m_result.checkPassed = m_result.checkRelativeError <= tolerance;
    return {};
}

Result<void> HostRun::findKernelRate()
{
    if (const auto go = report(shareKernel, "timing the kernel on data that stays in cache"); !go) {
        return go;
    }
    m_result.kernelFlopsPerSecond = kernelRate(*m_session, processorInfo().level2);
    return {};
}

double HostRun::probeRead()
{
    const Mapping& memory = m_probeBuffer.data() != nullptr ? m_probeBuffer : m_session->pool();
    const auto size = static_cast<std::size_t>(memory.size().count());
    const Bytes buffer = probeBufferSize(m_preview.margin);
    const Bytes wanted = std::clamp(Bytes(m_result.kvBytesPerStep.count() / 8), buffer, std::max(buffer, probeAtMost));
    const std::size_t bytes = std::min(size, static_cast<std::size_t>(wanted.count()));
    if (m_probeAt + bytes > size) {
        m_probeAt = 0;
    }
    const double rate = readBandwidth({memory.data() + m_probeAt, bytes});
    m_probeAt += bytes;
    return rate;
}

Result<void> HostRun::step()
{
    m_session->beginStep();
    for (std::size_t shape = 0; shape < m_session->layout().shapes.size(); ++shape) {
        for (std::int64_t layer = 0; layer < m_session->layout().shapes[shape].residentLayers; ++layer) {
            if (m_stop.stop_requested()) {
                return report(0, "");
            }
            m_session->runLayer(shape, layer);
        }
    }
    m_session->endStep();
    return {};
}

Result<void> HostRun::timeSteps()
{
    m_result.kvBytesPerStep = kvBytesPerStep(m_result.request, m_session->layout());
    m_result.flopsPerStep = flopsPerStep(m_result.request, m_session->layout());
    std::vector<double> reads;
    std::vector<double> ratios;
    const auto bytes = static_cast<double>(m_result.kvBytesPerStep.count());
    const std::int64_t all = m_result.request.steps + warmUpSteps;
    for (std::int64_t i = 0; i < all; ++i) {
        const auto go = report(shareSteps + (1 - shareSteps) * static_cast<double>(i) / static_cast<double>(all),
            i < warmUpSteps ? std::string("warming up")
                            : fmt::format("step {} of {}", i - warmUpSteps + 1, m_result.request.steps));
        if (!go) {
            return go;
        }
        // Before and after each step: neighbours on the same memory move both alike.
        const double readBefore = reads.empty() ? probeRead() : reads.back();
        const auto start = Clock::now();
        if (const auto done = step(); !done) {
            return done;
        }
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        reads.push_back(probeRead());
        if (i >= warmUpSteps) {
            m_result.stepSamples.push_back(seconds);
            ratios.push_back(bytes / seconds / ((readBefore + reads.back()) / 2));
        }
    }
    m_result.stepSeconds = spreadOf(m_result.stepSamples);
    m_result.readBytesPerSecond = spreadOf(reads).median;
    m_result.bandwidthBytesPerSecond = bytes / m_result.stepSeconds.median;
    m_result.fractionOfRead = spreadOf(ratios).median;
    return report(1, "done");
}

void HostRun::accountMemory()
{
    const Mapping* mappings[] = {&m_session->pool(), &m_session->tables(), &m_session->workspace()};
    const char* names[] = {"pool", "block tables", "workspace"};
    Bytes rounding;
    Bytes mapped;
    Bytes hugePages;
    bool known = true;
    for (std::size_t i = 0; i < std::size(mappings); ++i) {
        const Mapping& mapping = *mappings[i];
        const auto resident = mapping.resident();
        std::optional<Bytes> measured;
        if (resident) {
            // The last page's unused end is resident too; it has a line of its own.
            measured = std::min(resident->total, mapping.size());
            m_result.deviceUsedBytes += resident->total;
            hugePages += resident->hugePages;
        }
        known = known && resident.has_value();
        rounding += mapping.mapped() - mapping.size();
        mapped += mapping.mapped();
        m_result.memory.push_back({names[i], mapping.size(), measured});
    }
    if (!known) {
        m_result.deviceUsedBytes = mapped; // every page of them was written
    }
    m_result.memory.push_back({"rounding to whole pages", rounding,
        known ? std::optional(m_result.deviceUsedBytes - std::min(m_result.deviceUsedBytes, m_result.predictedBytes))
              : std::nullopt});
    m_result.memory.push_back({"of it in 2 MiB pages", std::nullopt, known ? std::optional(hugePages) : std::nullopt});
    if (m_probeBuffer.data() != nullptr) {
        m_result.memory.push_back({"probe buffer", m_probeBuffer.size(), m_probeBuffer.size()});
    }
    const Bytes rest = processResident() - m_residentBefore - mapped
        - (m_probeBuffer.data() != nullptr ? m_probeBuffer.mapped() : Bytes());
    m_result.memory.push_back({"threads and bookkeeping", std::nullopt, std::max(rest, Bytes())});
    m_result.memoryRelativeError = ratio(m_result.deviceUsedBytes - m_result.predictedBytes, m_result.predictedBytes);
}

void HostRun::predict()
{
    const double transfer = static_cast<double>(m_result.kvBytesPerStep.count()) / m_result.readBytesPerSecond;
    const auto flops = static_cast<double>(m_result.flopsPerStep);
    m_result.predictedStepSeconds = transfer + flops / m_result.kernelFlopsPerSecond;
    m_result.predictedMaxStepSeconds = std::max(transfer, flops / m_result.fmaFlopsPerSecond);
}

} // namespace kvplan
