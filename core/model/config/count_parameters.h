// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config/layer_kinds.h"
#include "core/model/parameters.h"

#include <optional>

namespace kvplan {

/// Counts the decoder's parameters, embeddings and output head included; encoders of pictures and sound, and draft
/// layers, are left out. Empty, with a warning, where a layer's parameters are not known to this version.
std::optional<ParameterCount> countParameters(ConfigFields& fields, const LayerShapes& shapes, std::int64_t vocabulary);

} // namespace kvplan
