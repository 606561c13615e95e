// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config/config_fields.h"
#include "core/model/config/layer_roles.h"

#include <cstdint>
#include <vector>

namespace kvplan {

/// What stands behind a layer's attention.
enum class FeedForward { None, Dense, Experts };

/// The feed-forward part of every layer: experts where the file has any and a key places them (the first so many layers
/// dense, one in n, a list), dense otherwise. In models whose feed-forward parts are layers of their own, the others
/// have none.
std::vector<FeedForward> feedForwards(ConfigFields& fields, const std::vector<LayerRole>& roles);

/// Experts a router chooses from; 0 where there are none.
std::int64_t routedExperts(ConfigFields& fields);

} // namespace kvplan
