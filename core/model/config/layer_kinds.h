// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/architecture.h"
#include "core/model/config/attention_heads.h"
#include "core/model/config/config_fields.h"
#include "core/model/config/layer_roles.h"
#include "core/model/config/recurrent_layer.h"

#include <optional>
#include <vector>

namespace kvplan {

/// What the layers of one model look like, as the cache and the count of parameters need it.
struct LayerShapes {
    std::int64_t hidden = 0;
    std::vector<LayerRole> roles; ///< one a layer
    AttentionHeads heads; ///< where a layer attends
    std::optional<LatentAttention> latent; ///< stands in place of heads in full layers
    RecurrentLayer recurrent; ///< where a layer recurs
    std::vector<bool> hasIndexer; ///< one a layer, where an indexer's width is known
    std::int64_t indexerDim = 0;
    std::int64_t sharedLayers = 0; ///< the last layers, which read earlier ones' caches
};

/// Reads roles and shapes; failures stay in `fields`.
LayerShapes layerShapes(ConfigFields& fields);

/// What each layer keeps: nothing, one kind, or two side by side.
std::vector<std::vector<AttentionKind>> layerKinds(ConfigFields& fields, const LayerShapes& shapes);

} // namespace kvplan
