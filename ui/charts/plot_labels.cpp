// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_labels.h"

#include "ui/charts/label_room.h"
#include "ui/charts/text_size.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace kvplan {

namespace {

constexpr double pointRadius = 9;
constexpr double textRadius = 4;

class Placer {
public:
    Placer(const PlotData& data, const PlotLayout& layout, QSizeF size, const Theme& theme)
        : m_data(data)
        , m_layout(layout)
        , m_size(size)
        , m_fonts{fontOf(LabelFont::Tick, theme), fontOf(LabelFont::Name, theme), fontOf(LabelFont::Strong, theme)}
    {
        m_room.bounds = QRectF(QPointF(), size);
    }

    std::vector<PlacedLabel> place()
    {
        placeTicks();
        placeAxisLabels();
        placeBars();
        placeNames();
        collectLines();
        placeTexts(false);
        placeLines();
        placePoint();
        placeTexts(true);
        return std::move(m_labels);
    }

private:
    QSizeF measure(const QString& text, LabelFont font)
    {
        return textSize(text, m_fonts[static_cast<std::size_t>(font)]);
    }

    PlacedLabel& add(const QString& text, const QRectF& box, Role role, LabelFont font)
    {
        m_labels.push_back({text, box, role, font, {}, false, false});
        m_room.taken.push_back(box);
        return m_labels.back();
    }

    /// Words whose part named by `alignment` lies at the place, kept on the surface.
    PlacedLabel& addAt(QPointF at, Qt::Alignment alignment, const QString& text, Role role, LabelFont font)
    {
        const QSizeF size = measure(text, font);
        const double left = alignment & Qt::AlignLeft ? 0
            : alignment & Qt::AlignRight              ? -size.width()
                                                      : -size.width() / 2;
        const double top = alignment & Qt::AlignTop ? 0
            : alignment & Qt::AlignBottom           ? -size.height()
                                                    : -size.height() / 2;
        LabelRoom surface;
        surface.bounds = m_room.bounds;
        return add(text, surface.best({QRectF(at + QPointF(left, top), size)}), role, font);
    }

    void placeTicks()
    {
        const QRectF axes = m_layout.axes;
        const auto within = [](double share) { return share > -1e-9 && share < 1 + 1e-9; };
        double lastRight = -1e9;
        for (std::size_t i = 0; i < m_data.x.ticks.size(); ++i) {
            const Tick& tick = m_data.x.ticks[i];
            const double share = shareOf(m_data.x, tick.at);
            if (tick.text.isEmpty() || !within(share)) {
                continue;
            }
            const double middle = axes.left() + share * axes.width();
            if (m_data.x.categories) {
                double top = axes.bottom() + PlotLayout::tickGap;
                for (const QString& line : m_layout.categories[i]) {
                    if (line.isEmpty()) {
                        top += measure(tick.text, LabelFont::Tick).height();
                        continue;
                    }
                    top = addAt({middle, top}, Qt::AlignHCenter | Qt::AlignTop, line, Role::QuietText, LabelFont::Tick)
                              .box.bottom();
                }
                continue;
            }
            // Words that would touch the one before them are left out.
            const double half = measure(tick.text, LabelFont::Tick).width() / 2;
            if (middle - half > lastRight + 5) {
                addAt({middle, axes.bottom() + PlotLayout::tickGap}, Qt::AlignHCenter | Qt::AlignTop, tick.text,
                    Role::QuietText, LabelFont::Tick);
                lastRight = middle + half;
            }
        }
        std::vector<double> used;
        for (const Tick& tick : m_data.y.ticks) {
            const double share = shareOf(m_data.y, tick.at);
            const double middle = axes.bottom() - share * axes.height();
            const double height = measure(tick.text, LabelFont::Tick).height();
            const double gap = m_data.y.categories ? 0.7 * height : height - 1;
            const bool free = std::ranges::none_of(used, [&](double y) { return std::abs(y - middle) < gap; });
            if (!tick.text.isEmpty() && within(share) && free) {
                addAt({axes.left() - PlotLayout::tickGap, middle}, Qt::AlignRight | Qt::AlignVCenter, tick.text,
                    m_data.y.categories ? Role::Text : Role::QuietText, LabelFont::Tick);
                used.push_back(middle);
            }
        }
    }

    void placeAxisLabels()
    {
        if (!m_data.x.label.isEmpty()) {
            addAt({m_layout.axes.center().x(), m_size.height()}, Qt::AlignHCenter | Qt::AlignBottom, m_data.x.label,
                Role::QuietText, LabelFont::Tick);
        }
        if (!m_data.y.label.isEmpty()) {
            const QSizeF size = measure(m_data.y.label, LabelFont::Tick).transposed();
            const QPointF middle(size.width() / 2, m_layout.axes.center().y());
            add(m_data.y.label, QRectF(middle - QPointF(size.width(), size.height()) / 2, size), Role::QuietText,
                LabelFont::Tick)
                .upright
                = true;
        }
    }

    void placeBars()
    {
        for (const PlotBar& bar : m_data.bars) {
            if (bar.place == PlotBar::LabelPlace::None || bar.label.isEmpty()) {
                continue;
            }
            const QRectF box = m_layout.barBox(m_data, bar);
            const LabelFont font = bar.strong ? LabelFont::Strong : LabelFont::Tick;
            switch (bar.place) {
            case PlotBar::LabelPlace::Above:
                addAt(
                    {box.center().x(), box.top() - 1}, Qt::AlignHCenter | Qt::AlignBottom, bar.label, Role::Text, font);
                break;
            case PlotBar::LabelPlace::Right:
                placeBeside(box, bar.label, font);
                break;
            case PlotBar::LabelPlace::Inside: {
                const QSizeF size = measure(bar.label, LabelFont::Tick);
                if (size.width() < box.width() - 4 && size.height() <= box.height()) {
                    addAt(box.center(), Qt::AlignCenter, bar.label, Role::Text, LabelFont::Tick).on = bar.role;
                }
                break;
            }
            case PlotBar::LabelPlace::None:
                break;
            }
        }
    }

    /// Right of a bar, or a little above or below where other words stand there.
    void placeBeside(const QRectF& bar, const QString& text, LabelFont font)
    {
        const QSizeF size = measure(text, font);
        std::vector<QRectF> places;
        const bool stacked = m_data.barsGrow == BarsGrow::Up; // others may lie just above or below
        for (const double lines : stacked ? std::vector{0.0, 1.0, -1.0, 2.0, -2.0} : std::vector{0.0}) {
            places.emplace_back(QPointF(bar.right() + 6, bar.center().y() - (lines + 0.5) * size.height()), size);
        }
        add(text, m_room.best(places), Role::Text, font);
    }

    void placeNames()
    {
        for (std::size_t i = 0; i < m_data.series.size(); ++i) {
            if (m_layout.endLabels[i] < 0) {
                continue;
            }
            const QStringList& lines = m_layout.names[i];
            const double height = measure(lines.front(), LabelFont::Name).height();
            double middle = m_layout.endLabels[i] - height * static_cast<double>(lines.size() - 1) / 2;
            for (const QString& line : lines) {
                addAt({m_layout.axes.right() + PlotLayout::endGap, middle}, Qt::AlignLeft | Qt::AlignVCenter, line,
                    m_data.series[i].role, LabelFont::Name);
                middle += height;
            }
        }
    }

    QLineF pixels(const PlotLine& line) const
    {
        const QRectF axes = m_layout.axes;
        if (line.orientation == Qt::Horizontal) {
            const double y = m_layout.pixel(m_data, {m_data.x.low, line.at}).y();
            const PlotSpan part = line.part.value_or(PlotSpan{m_data.x.low, m_data.x.high});
            return {
                m_layout.pixel(m_data, {part.from, line.at}).x(), y, m_layout.pixel(m_data, {part.to, line.at}).x(), y};
        }
        const double x = axes.left() + shareOf(m_data.x, line.at) * axes.width();
        const PlotSpan part = line.part.value_or(PlotSpan{m_data.y.low, m_data.y.high});
        return {x, m_layout.pixel(m_data, {line.at, part.from}).y(), x, m_layout.pixel(m_data, {line.at, part.to}).y()};
    }

    void collectLines()
    {
        for (const PlotSeries& series : m_data.series) {
            for (std::size_t i = 1; i < series.points.size(); ++i) {
                m_room.lines.emplace_back(
                    m_layout.pixel(m_data, series.points[i - 1]), m_layout.pixel(m_data, series.points[i]));
            }
        }
        for (const PlotLine& line : m_data.lines) {
            m_room.lines.push_back(pixels(line));
        }
        if (m_data.point) {
            const QPointF at = m_layout.pixel(m_data, m_data.point->at);
            m_room.taken.emplace_back(at - QPointF(pointRadius, pointRadius), QSizeF(2 * pointRadius, 2 * pointRadius));
        }
    }

    void placeLines()
    {
        LabelRoom room = m_room;
        room.bounds = m_layout.axes;
        for (const PlotLine& line : m_data.lines) {
            const double share = shareOf(line.orientation == Qt::Horizontal ? m_data.y : m_data.x, line.at);
            if (line.label.isEmpty() || share < 0 || share > 1) {
                continue;
            }
            const QSizeF size = measure(line.label, LabelFont::Tick);
            const QLineF at = pixels(line);
            std::vector<QRectF> candidates;
            for (const double along : {1.0, 0.0, 0.75, 0.5, 0.25}) {
                const QPointF place = at.pointAt(along);
                if (line.orientation == Qt::Horizontal) {
                    const double left = place.x() - along * size.width();
                    candidates.emplace_back(QPointF(left, place.y() - size.height() - 1), size);
                    candidates.emplace_back(QPointF(left, place.y() + 1), size);
                } else {
                    const double top = place.y() - (1 - along) * size.height();
                    candidates.emplace_back(QPointF(place.x() + 4, top), size);
                    candidates.emplace_back(QPointF(place.x() - 4 - size.width(), top), size);
                }
            }
            room.taken = m_room.taken;
            add(line.label, room.best(candidates), line.role == Role::TakenDeep ? Role::QuietText : line.role,
                LabelFont::Tick)
                .halo
                = true;
        }
    }

    void placeTexts(bool seeking)
    {
        LabelRoom room = m_room;
        room.bounds = m_layout.axes;
        for (const PlotText& text : m_data.texts) {
            if (text.seeksRoom != seeking) {
                continue;
            }
            const LabelFont font = text.strong ? LabelFont::Strong : LabelFont::Tick;
            const QPointF at = m_layout.pixel(m_data, text.at);
            if (seeking) {
                room.taken = m_room.taken;
                std::vector<QRectF> places = placesAround(at, textRadius, measure(text.text, font));
                std::ranges::copy(
                    placesAround(at, 2 * pointRadius, measure(text.text, font)), std::back_inserter(places));
                add(text.text, room.best(places), text.role, font).halo = true;
            } else {
                addAt(at, text.alignment, text.text, text.role, font);
            }
        }
    }

    void placePoint()
    {
        if (!m_data.point || m_data.point->label.isEmpty()
            || !m_layout.axes.contains(m_layout.pixel(m_data, m_data.point->at))) {
            return;
        }
        LabelRoom room = m_room;
        room.bounds = m_layout.axes;
        const QSizeF size = measure(m_data.point->label, LabelFont::Strong);
        const QPointF at = m_layout.pixel(m_data, m_data.point->at);
        add(m_data.point->label, room.best(placesAround(at, pointRadius, size)), Role::Text, LabelFont::Strong).halo
            = true;
    }

    const PlotData& m_data;
    const PlotLayout& m_layout;
    QSizeF m_size;
    std::array<QFont, 3> m_fonts;
    LabelRoom m_room;
    std::vector<PlacedLabel> m_labels;
};

} // namespace

QFont fontOf(LabelFont font, const Theme& theme)
{
    QFont result = font == LabelFont::Strong ? theme.strong() : theme.tick();
    if (font == LabelFont::Name) {
        result.setWeight(QFont::Medium);
    }
    return result;
}

std::vector<PlacedLabel> placeLabels(const PlotData& data, const PlotLayout& layout, QSizeF size, const Theme& theme)
{
    return Placer(data, layout, size, theme).place();
}

std::vector<PlacedLabel> placeMessage(const QString& message, QSizeF size, const Theme& theme)
{
    const QFont font = fontOf(LabelFont::Strong, theme);
    const QStringList lines = inLines(message, font, size.width() - 16, size.width() - 16);
    const double height = textSize({}, font).height();
    std::vector<PlacedLabel> labels;
    double top = (size.height() - height * static_cast<double>(lines.size())) / 2;
    for (const QString& line : lines) {
        const double width = textSize(line, font).width();
        labels.push_back({line, QRectF((size.width() - width) / 2, top, width, height), Role::QuietText,
            LabelFont::Strong, {}, false, false});
        top += height;
    }
    return labels;
}

} // namespace kvplan
