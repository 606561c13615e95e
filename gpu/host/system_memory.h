// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/units.h"

#include <filesystem>
#include <string>

namespace kvplan {

struct SystemMemory {
    Bytes total; ///< of the machine, or the container's limit where that is lower
    Bytes available; ///< what may be taken now: the lower of MemAvailable and what the limits leave
};

/// Reads /proc/meminfo and the limits of this process's control groups, version 1 and 2, and of all groups above it.
/// File cache that the system can drop counts as available. `root` stands in for "/" in tests. Zero where nothing can
/// be read.
SystemMemory systemMemory(const std::filesystem::path& root = "/");

struct ProcessorInfo {
    std::string name;
    int threads = 1; ///< that this process may use
    Bytes level2; ///< of one core
    Bytes lastLevel; ///< of the largest cache
};

ProcessorInfo processorInfo(const std::filesystem::path& root = "/");

/// Resident memory of this process, in all.
Bytes processResident();

} // namespace kvplan
