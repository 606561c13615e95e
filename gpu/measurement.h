// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cache/format.h"
#include "core/error.h"
#include "core/scenario/scenario.h"
#include "core/units.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kvplan {

struct DeviceInfo {
    std::string id; ///< "cpu", "cuda:0"
    std::string name; ///< as the system calls it
    std::string kind; ///< "cpu", "cuda"
    Bytes memory; ///< total; inside a container its limit
    Bytes available; ///< what an allocation may take now
};

/// The devices of this machine: the CPU always, first.
std::vector<DeviceInfo> devices();

/// Layers that keep and read their cache alike, as the kernel sees them.
struct LayerShape {
    std::int64_t layers = 0;
    std::int64_t queryHeads = 0;
    std::int64_t kvHeads = 0; ///< query heads are a multiple of it; 1 for a latent cache
    std::int64_t keyDim = 0;
    std::int64_t valueDim = 0;
    std::int64_t windowTokens = 0; ///< 0: all tokens are read
    bool latent = false; ///< values are the first valueDim elements of the key: one tensor, not two
};

/// What to allocate and run.
struct MeasureRequest {
    std::string device = "cpu";
    std::vector<LayerShape> shapes;
    CacheFormat format = CacheFormat::Bf16; ///< of keys and values
    Tokens blockTokens{16};
    Tokens context{8192}; ///< of every sequence, before the step's own token
    std::int64_t sequences = 1;
    std::optional<std::int64_t> layersResident; ///< empty: as many as fit
    std::int64_t steps = 20; ///< timed ones
    bool verify = true; ///< against the double-precision reference
    std::uint64_t seed = 1;
};

/// The request a scenario asks for: one tensor-parallel rank's heads, its sequences of one replica. The step's own
/// token is the last of the scenario's context, so that pool and bytes are exactly the plan's. Fails, naming it, on
/// what this version cannot run (recurrent state, K and V in different formats, a format without a kernel).
Result<MeasureRequest> measureRequest(const Scenario& scenario);

/// What measure() will take, before it takes it. Fails when not even one layer fits in what is available less a margin.
struct AllocationPreview {
    std::int64_t layersResident = 0;
    std::int64_t layersTotal = 0;
    Blocks blocks;
    Bytes pool;
    Bytes tables;
    Bytes workspace;
    Bytes available; ///< on the device, before
    Bytes margin; ///< left free
};
Result<AllocationPreview> previewAllocation(const MeasureRequest& request);

struct MemoryLine {
    std::string name;
    std::optional<Bytes> predicted;
    std::optional<Bytes> measured;
};

struct Spread {
    double median = 0;
    double p10 = 0;
    double p90 = 0;
};

/// What a device did, beside what was predicted. Rates are bytes or flops a second.
struct Measurement {
    DeviceInfo device;
    MeasureRequest request;
    std::string date; ///< ISO 8601, UTC
    std::string build; ///< version and target of the kernel that ran, e.g. "0.1.0 AVX2"
    int threads = 0;

    double copyBytesPerSecond = 0;
    double readBytesPerSecond = 0; ///< interleaved with the steps below, over more than the caches hold
    double fmaFlopsPerSecond = 0;

    std::int64_t layersResident = 0;
    std::int64_t layersTotal = 0;

    Bytes predictedBytes; ///< pool, tables and workspace
    Bytes allocatedBytes;
    Bytes deviceUsedBytes; ///< resident
    double memoryRelativeError = 0; ///< (deviceUsed − predicted) / predicted
    std::vector<MemoryLine> memory;

    Spread stepSeconds; ///< of the resident layers
    std::vector<double> stepSamples; ///< seconds, in order
    Bytes kvBytesPerStep;
    std::int64_t flopsPerStep = 0;
    double bandwidthBytesPerSecond = 0;
    double fractionOfRead = 0; ///< median of interleaved ratios
    double kernelFlopsPerSecond = 0; ///< on data that stays in cache
    double predictedStepSeconds = 0; ///< additive: bytes / read + flops / kernel rate
    double predictedMaxStepSeconds = 0; ///< classic: max(bytes / read, flops / FMA rate)

    std::string checkReference; ///< empty when not verified
    double checkRelativeError = 0;
    double checkTolerance = 0;
    bool checkPassed = false;
    std::int64_t sequencesChecked = 0;
};

/// Called from the measuring thread: share done, 0 to 1, and what is being done.
using MeasureProgress = std::function<void(double, const std::string&)>;

/// Allocates the planned cache, runs decode over it and gives everything back, whatever happens. Blocks; run it off the
/// window's thread. A stop asked for returns ErrorCode::Cancelled within a step.
Result<Measurement> measure(
    const MeasureRequest& request, const MeasureProgress& progress = {}, std::stop_token stop = {});

/// The keys of cli.md's `measure`; readMeasurement takes back what writeMeasurement gave.
std::string writeMeasurement(const Measurement& measurement);
Result<Measurement> readMeasurement(std::string_view json, std::string_view where);

} // namespace kvplan
