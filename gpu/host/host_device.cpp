// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/host_device.h"

#include "gpu/host/system_memory.h"

#include <algorithm>

namespace kvplan {

namespace {

constexpr Bytes smallestMargin(std::int64_t{256} << 20);
constexpr Bytes smallestBuffer(std::int64_t{64} << 20);
constexpr Bytes largestBuffer(std::int64_t{1} << 30);

} // namespace

DeviceInfo hostDevice()
{
    const SystemMemory memory = systemMemory();
    return {"cpu", processorInfo().name, "cpu", memory.total, memory.available};
}

Bytes hostMargin(Bytes available)
{
    return std::max(smallestMargin, Bytes(available.count() / 10));
}

Bytes probeBufferSize(Bytes margin)
{
    const Bytes wanted = std::clamp(processorInfo().lastLevel * 4, smallestBuffer, largestBuffer);
    return std::min(wanted, Bytes(margin.count() / 2));
}

} // namespace kvplan
