// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/token_cells.h"

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

constexpr double singleTokens = 32;
constexpr double growth = 0.06;

} // namespace

std::vector<TokenCell> tokenCells(double first, double last)
{
    std::vector<TokenCell> cells;
    for (double begin = first; begin < last;) {
        const double distance = begin - first;
        const double width = distance < singleTokens ? 1 : std::ceil(growth * distance);
        const double end = std::min(last, begin + width);
        cells.push_back({begin, end});
        begin = end;
    }
    return cells;
}

} // namespace kvplan
