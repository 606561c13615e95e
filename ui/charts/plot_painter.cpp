// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_painter.h"

#include <QPainter>

#include <array>
#include <cmath>

namespace kvplan {

namespace {

constexpr qsizetype mostWords = 400; ///< kept in one plot
constexpr double pointRadius = 6.5;

/// Black or white, whichever reads better on `ground`. Source: relative luminance, WCAG 2.1.
QColor inkOn(const QColor& ground)
{
    const double luminance = 0.2126 * std::pow(ground.redF(), 2.2) + 0.7152 * std::pow(ground.greenF(), 2.2)
        + 0.0722 * std::pow(ground.blueF(), 2.2);
    return luminance > 0.2 ? QColor(0x14, 0x17, 0x1A) : QColor(Qt::white);
}

} // namespace

QPen penOf(const QColor& color, double width, Dash dash)
{
    QPen pen(color, width);
    switch (dash) {
    case Dash::Solid:
        break;
    case Dash::Dashed:
        pen.setDashPattern({6, 4});
        break;
    case Dash::Dotted:
        pen.setDashPattern({1.5, 3});
        break;
    case Dash::DashDotted:
        pen.setDashPattern({7, 3, 1.5, 3});
        break;
    }
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

void PlotPainter::paintGrid(QPainter& painter, const PlotData& data, const PlotLayout& layout, const Theme& theme) const
{
    const QRectF axes = layout.axes;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme.color(Role::Grid), 1));
    const auto within = [](double share) { return share > -1e-9 && share < 1 + 1e-9; };
    if (data.x.grid) {
        for (const Tick& tick : data.x.ticks) {
            const double share = shareOf(data.x, tick.at);
            if (within(share)) {
                const double x = std::round(axes.left() + share * axes.width());
                painter.drawLine(QPointF(x, axes.top()), QPointF(x, axes.bottom()));
            }
        }
    }
    if (data.y.grid) {
        for (const Tick& tick : data.y.ticks) {
            const double share = shareOf(data.y, tick.at);
            if (within(share)) {
                const double y = std::round(axes.bottom() - share * axes.height());
                painter.drawLine(QPointF(axes.left(), y), QPointF(axes.right(), y));
            }
        }
    }
}

void PlotPainter::paintBars(QPainter& painter, const PlotData& data, const PlotLayout& layout, const Theme& theme) const
{
    for (const PlotBar& bar : data.bars) {
        painter.fillRect(layout.barBox(data, bar), theme.color(bar.role));
    }
}

void PlotPainter::paintLines(
    QPainter& painter, const PlotData& data, const PlotLayout& layout, const Theme& theme, bool below) const
{
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const PlotLine& line : data.lines) {
        const bool horizontal = line.orientation == Qt::Horizontal;
        const double share = shareOf(horizontal ? data.y : data.x, line.at);
        if (share < 0 || share > 1 || line.below != below) {
            continue;
        }
        const PlotAxis& along = horizontal ? data.x : data.y;
        const PlotSpan part = line.part.value_or(PlotSpan{along.low, along.high});
        const auto at = [&](double value) {
            const QPointF place = layout.pixel(data, horizontal ? QPointF(value, line.at) : QPointF(line.at, value));
            return QPointF(std::round(place.x()), std::round(place.y()));
        };
        painter.setPen(penOf(theme.color(line.role), line.dash == Dash::Solid ? 2 : 1, line.dash));
        painter.drawLine(at(part.from), at(part.to));
    }
}

void PlotPainter::paintPoint(
    QPainter& painter, const PlotData& data, const PlotLayout& layout, const Theme& theme) const
{
    if (!data.point) {
        return;
    }
    const QPointF at = layout.pixel(data, data.point->at);
    if (!layout.axes.adjusted(-1, -1, 1, 1).contains(at)) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(Role::Card), 2));
    painter.setBrush(theme.color(Role::Point));
    painter.drawEllipse(at, pointRadius, pointRadius);
}

QStaticText& PlotPainter::words(const PlacedLabel& label, const Theme& theme)
{
    if (m_typeScale != theme.typeScale || m_words.size() > mostWords) {
        m_words.clear();
        m_typeScale = theme.typeScale;
    }
    const QString key = QChar(u'0' + static_cast<int>(label.font)) + label.text;
    auto found = m_words.find(key);
    if (found == m_words.end()) {
        QStaticText text(label.text);
        text.setTextFormat(Qt::PlainText);
        text.setPerformanceHint(QStaticText::AggressiveCaching);
        text.prepare({}, fontOf(label.font, theme));
        found = m_words.insert(key, text);
    }
    return *found;
}

void PlotPainter::paintLabels(QPainter& painter, const std::vector<PlacedLabel>& labels, const Theme& theme)
{
    QColor halo = theme.color(Role::Card);
    halo.setAlphaF(0.85F);
    const std::array fonts{
        fontOf(LabelFont::Tick, theme), fontOf(LabelFont::Name, theme), fontOf(LabelFont::Strong, theme)};
    for (const PlacedLabel& label : labels) {
        if (label.halo) {
            painter.fillRect(label.box, halo);
        }
        painter.setFont(fonts[static_cast<std::size_t>(label.font)]);
        painter.setPen(label.on ? inkOn(theme.color(*label.on)) : theme.color(label.role));
        if (label.upright) {
            painter.save();
            painter.translate(label.box.bottomLeft());
            painter.rotate(-90);
            painter.drawStaticText(QPointF(), words(label, theme));
            painter.restore();
        } else {
            const QPointF corner(std::round(label.box.left()), std::round(label.box.top()));
            painter.drawStaticText(corner, words(label, theme));
        }
    }
}

} // namespace kvplan
