// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/measurement.h"

namespace kvplan {

/// The CPU, as devices() lists it.
DeviceInfo hostDevice();

/// What stays free of `available` bytes: a tenth, and at least 256 MiB.
Bytes hostMargin(Bytes available);

/// Size of the buffer that the bandwidth probes stream over: four times the last-level cache, within 64 MiB and 1 GiB
/// and half of the margin.
Bytes probeBufferSize(Bytes margin);

} // namespace kvplan
