// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/units.h"

#include <cstddef>
#include <span>

namespace kvplan {

/// Bytes a second that all threads read of this memory, once over it. The memory is touched already.
double readBandwidth(std::span<const std::byte> memory);

/// Bytes a second that all threads copy from the first half of this memory to the second, reads and writes counted;
/// the best of `rounds`.
double copyBandwidth(std::span<std::byte> memory, int rounds);

/// Multiply-adds of fp32 in registers, two flops each, of all threads together; the best of `rounds`.
double fmaRate(int rounds);

} // namespace kvplan
