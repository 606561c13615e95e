// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace kvplan {

/// Whole tokens from begin to end − 1.
struct TokenCell {
    double begin;
    double end;

    double count() const { return end - begin; }
    double middle() const { return (begin + end - 1) / 2; }
};

/// Cuts the whole tokens from `first` to `last` − 1 into cells: one token each at first, then 6 % of the distance from
/// `first`. A law that begins at `first` bends little within a cell. Private to core/workload.
std::vector<TokenCell> tokenCells(double first, double last);

} // namespace kvplan
