// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/model/architecture.h"

#include <string>

namespace kvplan {

/// An architecture as one JSON object. Bytes of a group count all its layers, in the format that the checkpoint names
/// for its cache, else bf16; a group has `bytes_per_token`, or `state_bytes` where it keeps the same whatever the
/// length. What the source did not say is null. Fails when a figure does not fit 64 bits or the format cannot hold
/// the rows.
Result<std::string> architectureJson(const Architecture& architecture);

/// The same as aligned text for people.
Result<std::string> architectureText(const Architecture& architecture);

} // namespace kvplan
