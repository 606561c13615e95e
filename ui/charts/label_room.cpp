// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/label_room.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kvplan {

namespace {

constexpr double overlapWeight = 10; ///< a covered pixel of words is as bad as ten of a line

QRectF movedInto(QRectF box, const QRectF& bounds)
{
    box.moveLeft(std::max(bounds.left(), std::min(box.left(), bounds.right() - box.width())));
    box.moveTop(std::max(bounds.top(), std::min(box.top(), bounds.bottom() - box.height())));
    return box;
}

} // namespace

double lengthInside(const QLineF& line, const QRectF& box)
{
    double from = 0;
    double to = 1;
    const auto clip = [&](double start, double step, double low, double high) {
        if (step == 0) {
            if (start < low || start > high) {
                to = -1;
            }
            return;
        }
        const double a = (low - start) / step;
        const double b = (high - start) / step;
        from = std::max(from, std::min(a, b));
        to = std::min(to, std::max(a, b));
    };
    clip(line.x1(), line.dx(), box.left(), box.right());
    clip(line.y1(), line.dy(), box.top(), box.bottom());
    return to > from ? (to - from) * line.length() : 0;
}

QRectF LabelRoom::best(const std::vector<QRectF>& candidates) const
{
    QRectF chosen;
    double least = std::numeric_limits<double>::infinity();
    for (const QRectF& candidate : candidates) {
        const QRectF box = movedInto(candidate, bounds);
        double cost = 0;
        for (const QLineF& line : lines) {
            cost += lengthInside(line, box);
        }
        for (const QRectF& other : taken) {
            const QRectF common = box.intersected(other);
            cost += overlapWeight * std::max(0.0, common.width()) * std::max(0.0, common.height());
        }
        if (cost < least) {
            least = cost;
            chosen = box;
        }
    }
    return chosen;
}

std::vector<QRectF> placesAround(QPointF middle, double radius, QSizeF size)
{
    const double w = size.width();
    const double h = size.height();
    const double x = middle.x();
    const double y = middle.y();
    const double corner = radius * 0.7;
    std::vector<QRectF> places;
    for (const QPointF& at :
        {QPointF(x - radius - w, y - h / 2), QPointF(x + radius, y - h / 2), QPointF(x - w / 2, y - radius - h),
            QPointF(x - w / 2, y + radius), QPointF(x + corner, y - corner - h), QPointF(x - corner - w, y + corner),
            QPointF(x - corner - w, y - corner - h), QPointF(x + corner, y + corner)}) {
        places.emplace_back(at, size);
    }
    return places;
}

} // namespace kvplan
