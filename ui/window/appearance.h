// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

namespace kvplan {

enum class ThemeChoice { System, Light, Dark };

/// Whether the desktop's own colours, as they were before the window set its own, are dark.
bool systemIsDark();

Theme themeFor(ThemeChoice choice);

/// Gives the application the theme's style, palette and type.
void applyAppearance(const Theme& theme);

} // namespace kvplan
