// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/card_grid.h"

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

constexpr double cardWidth = 385;
constexpr int leastHeight = 260; ///< of a card that is not crowded, when there are two rows
constexpr int goodHeight = 330; ///< of a card before a third row comes

} // namespace

GridShape gridFor(QSize surface, int cells)
{
    GridShape shape;
    shape.columns = std::clamp(static_cast<int>(std::lround(surface.width() / cardWidth)), 1, 5);
    const int room = surface.height() + cardGutter;
    shape.rows = std::clamp(room / (goodHeight + cardGutter), room >= 2 * (leastHeight + cardGutter) ? 2 : 1, 4);
    while (shape.rows > 1 && shape.columns * (shape.rows - 1) >= cells) {
        --shape.rows;
    }
    while (shape.columns > 1 && (shape.columns - 1) * shape.rows >= cells) {
        --shape.columns;
    }
    return shape;
}

std::vector<QRect> placeCards(QSize surface, GridShape shape, const std::vector<int>& spans)
{
    struct Cell {
        int column;
        int row;
        int span;
    };
    std::vector<Cell> cells;
    int column = 0;
    int row = 0;
    for (const int wanted : spans) {
        const int span = std::min(wanted, shape.columns);
        if (column + span > shape.columns) {
            cells.back().span += shape.columns - column;
            column = 0;
            ++row;
        }
        if (row == shape.rows) {
            break;
        }
        cells.push_back({column, row, span});
        column += span;
        if (column == shape.columns) {
            column = 0;
            ++row;
        }
    }
    if (!cells.empty() && column > 0 && row < shape.rows) {
        cells.back().span += shape.columns - column;
    }
    const int usedRows = cells.empty() ? 1 : cells.back().row + 1;
    std::vector<QRect> places;
    for (const Cell& cell : cells) {
        // Edges from rounded cell borders, so that neighbours are exactly a gutter apart.
        const auto edge = [](int total, int count, int index) {
            return static_cast<int>(std::lround((total + cardGutter) * static_cast<double>(index) / count));
        };
        const int left = edge(surface.width(), shape.columns, cell.column);
        const int right = edge(surface.width(), shape.columns, cell.column + cell.span) - cardGutter;
        const int top = edge(surface.height(), usedRows, cell.row);
        const int bottom = edge(surface.height(), usedRows, cell.row + 1) - cardGutter;
        places.emplace_back(left, top, right - left, bottom - top);
    }
    return places;
}

} // namespace kvplan
