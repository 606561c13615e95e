// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/units.h"

#include <cstdint>
#include <string>

namespace kvplan {

/// How well a figure is known.
enum class Basis {
    Known, ///< a fact of the input
    Computed, ///< exact arithmetic on known figures
    Estimated, ///< a rule of thumb, with a band
    Measured, ///< read on a device or in a log
};

std::string_view name(Basis basis);

/// A card of the catalogue. Memory is what the runtime can see, with its band where that is an estimate; rates are the
/// vendor's dense figures; 0: not published.
struct Accelerator {
    std::string name;
    std::string vendor;
    std::string architecture;
    double marketedGb = 0; ///< 10⁹ bytes, as sold
    Bytes driverBytes; ///< the driver's total; 0: not known
    Bytes capacity; ///< what the runtime sees: what a budget starts at
    Bytes capacityLow;
    Bytes capacityHigh;
    Basis capacityBasis = Basis::Estimated;
    std::string capacitySource; ///< in words, with a date where there is one
    double bandwidthBytesPerSecond = 0;
    double bf16FlopsPerSecond = 0;
    double fp16FlopsPerSecond = 0;
    double fp8FlopsPerSecond = 0;
    double int8OpsPerSecond = 0;
    std::string source;

    friend bool operator==(const Accelerator&, const Accelerator&) = default;
};

} // namespace kvplan
