// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"

namespace kvplan {

/// The models and cards that come with kvplan, parsed on first use. GUI thread.
const Result<Catalogue>& bundledCatalogue();

} // namespace kvplan
