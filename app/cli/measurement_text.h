// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/measurement.h"

#include <string>

namespace kvplan::cli {

/// A measurement as aligned text for people: what happened first, then memory, time and the check beside what was
/// predicted.
std::string measurementText(const Measurement& measurement);

} // namespace kvplan::cli
