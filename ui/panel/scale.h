// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/fields.h"

#include <vector>

namespace kvplan {

/// How a slider walks a field: whole positions from 0 to maximum(), each standing for a value. A range that spans
/// decades is walked by octaves of equal length, whose ends are stops. Several positions may stand for one value where
/// whole numbers are sparse.
class Scale {
public:
    explicit Scale(const FieldSpec& field);

    int maximum() const { return static_cast<int>(m_values.size()) - 1; }
    double value(int position) const;

    /// The position nearest to a value; values outside lie on the ends.
    int position(double value) const;

    /// Positions of the powers of two and of "off"; empty on a linear scale.
    const std::vector<int>& stops() const { return m_stops; }

    /// The next position that stands for another value, in direction +1 or −1; the end where there is none.
    int stepped(int position, int direction) const;

    /// The next stop in that direction; a tenth of the range on a linear scale.
    int paged(int position, int direction) const;

private:
    void addOctaves(const FieldSpec& field);
    void addLinear(const FieldSpec& field);

    std::vector<double> m_values;
    std::vector<int> m_stops;
};

} // namespace kvplan
