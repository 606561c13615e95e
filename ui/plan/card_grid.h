// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QSize>

#include <vector>

namespace kvplan {

/// How many columns and rows of cards a surface holds without crowding, and no more of them than `cells` need.
struct GridShape {
    int columns = 1;
    int rows = 1;
};
GridShape gridFor(QSize surface, int cells);

/// Places for cards that span `spans[i]` columns, row by row, in equal cells. A card that no longer fits gets no place,
/// so the result may be shorter than `spans`; the last card of a row takes what would stay empty beside it.
std::vector<QRect> placeCards(QSize surface, GridShape shape, const std::vector<int>& spans);

constexpr int cardGutter = 12;

} // namespace kvplan
