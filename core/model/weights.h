// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/architecture.h"
#include "core/units.h"

#include <optional>
#include <span>
#include <string_view>

namespace kvplan {

/// Names of the formats weights are held in: fp32, bf16, fp16, fp8, int8, mxfp4, nvfp4, int4.
std::span<const std::string_view> weightFormats();

/// Bytes of the whole model's weights in a format, "" standing for bf16: the checkpoint's own bytes where they are
/// known in that format, else parameters × bytes a parameter, group scales included. Below 16 bits the embeddings and
/// the output head stay in 16, as checkpoints keep them. Empty when the parameters are not known or the format is not.
std::optional<Bytes> weightBytes(const Architecture& architecture, std::string_view weightFormat);

} // namespace kvplan
