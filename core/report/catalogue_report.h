// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/accelerator.h"
#include "core/error.h"
#include "core/model/architecture.h"

#include <span>
#include <string>

namespace kvplan {

/// {"models": [..]}, each as architectureJson gives it.
Result<std::string> modelsJson(std::span<const Architecture> models);
Result<std::string> modelsText(std::span<const Architecture> models);

/// {"accelerators": [..]}: bytes, bytes a second, flops a second; null where not published.
std::string acceleratorsJson(std::span<const Accelerator> accelerators);
std::string acceleratorsText(std::span<const Accelerator> accelerators);

/// {"formats": [..]}: every cache format by falling bytes per element.
std::string formatsJson();
std::string formatsText();

} // namespace kvplan
