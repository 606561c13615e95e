// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QRectF>

#include <vector>

namespace kvplan {

/// What is drawn already, for words that look for a place where they cover least of it. Pixels.
struct LabelRoom {
    QRectF bounds; ///< words stay inside
    std::vector<QLineF> lines;
    std::vector<QRectF> taken;

    /// The candidate that covers least; of equals the first. Candidates are moved into the bounds before they are
    /// judged.
    QRectF best(const std::vector<QRectF>& candidates) const;
};

/// Boxes of `size` around a disc of `radius`: left, right, above and below of it, then the corners.
std::vector<QRectF> placesAround(QPointF middle, double radius, QSizeF size);

/// Length of the part of `line` that lies in `box`. Source: Liang and Barsky 1984.
double lengthInside(const QLineF& line, const QRectF& box);

} // namespace kvplan
