// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cache_layout.h"
#include "gpu/host/decode_kernel.h"
#include "gpu/host/host_device.h"
#include "gpu/host/host_run.h"
#include "gpu/host/host_session.h"
#include "gpu/host/system_memory.h"
#include "gpu/measurement.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <new>

namespace kvplan {

namespace {

Result<void> checkDevice(const std::string& device)
{
    if (device == "cpu") {
        return {};
    }
    return failure(ErrorCode::NotFound, fmt::format("there is no device \"{}\" in this build", device), "measure",
        "use --device cpu");
}

AllocationPreview previewWith(const MeasureRequest& request, Bytes available)
{
    AllocationPreview preview;
    preview.layersTotal = totalLayers(request.shapes);
    preview.available = available;
    preview.margin = hostMargin(available);
    preview.workspace = workspaceLayout(request, processorInfo().threads).bytes();
    const auto take = [&](std::int64_t layers) {
        const CacheLayout layout = cacheLayout(request, layers);
        preview.layersResident = layers;
        preview.pool = layout.pool;
        preview.tables = layout.tables;
        preview.blocks = layout.blocks;
        return layout.pool + layout.tables + preview.workspace + preview.margin <= available;
    };
    std::int64_t layers = request.layersResident.value_or(preview.layersTotal);
    while (!take(layers) && layers > 1 && !request.layersResident) {
        --layers;
    }
    return preview;
}

Error doesNotFit(const AllocationPreview& preview)
{
    const Bytes asked = preview.pool + preview.tables + preview.workspace;
    return {ErrorCode::OutOfMemory,
        fmt::format("{} of {} layers take {:.2f} GiB and {:.2f} GiB are available, of which {:.2f} GiB stay free",
            preview.layersResident, preview.layersTotal, gib(asked), gib(preview.available), gib(preview.margin)),
        "measure",
        preview.layersResident > 1 ? "lower the resident layers, the concurrency or the context"
                                   : "lower the concurrency or the context, or close other programs"};
}

void describe(Measurement& m, const MeasureRequest& request, const AllocationPreview& preview, const DeviceInfo& device)
{
    m.device = device;
    m.request = request;
    m.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
    m.build = fmt::format("{} {}", KVPLAN_VERSION, attendTarget());
    m.threads = processorInfo().threads;
    m.layersResident = preview.layersResident;
    m.layersTotal = preview.layersTotal;
    m.predictedBytes = preview.pool + preview.tables + preview.workspace;
}

} // namespace

std::vector<DeviceInfo> devices()
{
    return {hostDevice()};
}

Result<AllocationPreview> previewAllocation(const MeasureRequest& request)
{
    if (const auto device = checkDevice(request.device); !device) {
        return tl::unexpected(device.error());
    }
    if (const auto checked = checkRequest(request); !checked) {
        return tl::unexpected(checked.error());
    }
    return guarded("the cache to measure", [&]() -> Result<AllocationPreview> {
        const AllocationPreview preview = previewWith(request, hostDevice().available);
        if (preview.pool + preview.tables + preview.workspace + preview.margin > preview.available) {
            return tl::unexpected(doesNotFit(preview));
        }
        return preview;
    });
}

Result<Measurement> measure(const MeasureRequest& request, const MeasureProgress& progress, std::stop_token stop)
{
    const auto preview = previewAllocation(request);
    if (!preview) {
        return tl::unexpected(preview.error());
    }
    try {
        Measurement measurement;
        describe(measurement, request, *preview, hostDevice());
        HostRun run(measurement, *preview, progress, std::move(stop));
        if (const auto done = run.perform(); !done) {
            return tl::unexpected(done.error());
        }
        return measurement;
    } catch (const std::bad_alloc&) {
        return failure(ErrorCode::OutOfMemory, "the system refused memory for the bookkeeping", "measure",
            "lower the concurrency or the context");
    }
}

} // namespace kvplan
