// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/appearance.h"

#include "ui/window/flat_style.h"

#include <QApplication>
#include <QToolTip>

namespace kvplan {

bool systemIsDark()
{
    static const bool dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    return dark;
}

Theme themeFor(ThemeChoice choice)
{
    Theme theme;
    theme.dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark());
    return theme;
}

void applyAppearance(const Theme& theme)
{
    static const bool loaded = [] {
        systemIsDark();
        loadTypeface();
        return true;
    }();
    static_cast<void>(loaded);
    QApplication::setStyle(new FlatStyle(theme));
    QApplication::setPalette(theme.palette());
    QApplication::setFont(theme.body());
    QToolTip::setPalette(theme.palette());
    QToolTip::setFont(theme.body());
}

} // namespace kvplan
