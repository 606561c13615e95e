// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_data.h"
#include "ui/charts/plot_layout.h"

#include <optional>
#include <vector>

namespace kvplan {

enum class LabelFont { Tick, Name, Strong };

/// The typeface of labels: Name is the tick's size, heavier.
QFont fontOf(LabelFont font, const Theme& theme);

/// One line of words at its final place.
struct PlacedLabel {
    QString text;
    QRectF box; ///< pixels; for upright words the box they cover
    Role role = Role::Text;
    LabelFont font = LabelFont::Tick;
    std::optional<Role> on; ///< on a bar of this role: the ink is black or white
    bool halo = false; ///< the card shines through behind it, so that lines do not cross it
    bool upright = false; ///< reads from below to above
};

/// All words of a plot: ticks, axes, bars, series' names at their ends, lines, texts and the operating point's. Words
/// that may choose stand where they cover least. Pure: the renderer draws them and tests judge them.
std::vector<PlacedLabel> placeLabels(const PlotData& data, const PlotLayout& layout, QSizeF size, const Theme& theme);

/// A message in place of a plot, in lines in the middle.
std::vector<PlacedLabel> placeMessage(const QString& message, QSizeF size, const Theme& theme);

} // namespace kvplan
