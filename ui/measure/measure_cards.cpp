// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measure_cards.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace kvplan {

namespace {

constexpr int mostRowHeight = 34;

QFont smaller(QFont font)
{
    font.setPixelSize(font.pixelSize() - 1);
    return font;
}

QFont bold(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

/// The round figure, 1, 2 or 5 times a power of ten, of which at most `most` go into `range`.
double tickStep(double range, int most)
{
    const double least = range / most;
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : std::array{1.0, 2.0, 5.0}) {
        if (factor * decade >= least) {
            return factor * decade;
        }
    }
    return 10 * decade;
}

} // namespace

void FactTableBody::display(const FactTable& table)
{
    m_table = table;
    QStringList lines;
    for (const FactTable::Row& row : table.rows) {
        lines << row.cells.join(QStringLiteral(", "));
    }
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    update();
}

void FactTableBody::paint(QPainter& painter)
{
    const auto columns = static_cast<int>(m_table.rows.front().cells.size());
    const QFont body = theme().body();
    const QFontMetrics metrics(bold(body));

    std::vector<int> widths(static_cast<std::size_t>(columns), 0);
    for (const FactTable::Row& row : m_table.rows) {
        for (int column = 0; column < std::min<int>(columns, static_cast<int>(row.cells.size())); ++column) {
            int& width = widths[static_cast<std::size_t>(column)];
            width = std::max(width, metrics.horizontalAdvance(row.cells[column]));
        }
    }
    for (int column = 0; column < std::min<int>(columns, static_cast<int>(m_table.header.size())); ++column) {
        int& width = widths[static_cast<std::size_t>(column)];
        width = std::max(width, metrics.horizontalAdvance(m_table.header[column]));
    }

    const bool headed = !m_table.header.isEmpty();
    const int rows = static_cast<int>(m_table.rows.size()) + (headed ? 1 : 0);
    const int rowHeight = std::clamp(height() / std::max(1, rows), metrics.height(), mostRowHeight);
    // Figures stand in columns as wide as the widest one, evenly, as far as there is room.
    int widest = 0;
    for (std::size_t column = 1; column < widths.size(); ++column) {
        widest = std::max(widest, widths[column]);
    }
    const int figureWidth
        = columns > 1 ? std::max(widest + 12, std::min(130, (width() - widths[0]) / std::max(1, columns - 1))) : 0;
    const auto cell = [&](int column, int top) {
        return column == 0 ? QRect(0, top, width() - figureWidth * (columns - 1), rowHeight)
                           : QRect(width() - figureWidth * (columns - column), top, figureWidth, rowHeight);
    };
    const auto drawCells = [&](const QStringList& cells, int top) {
        for (int column = 0; column < static_cast<int>(cells.size()); ++column) {
            const QRect place = cell(column, top);
            const QString text = painter.fontMetrics().elidedText(cells[column], Qt::ElideRight, place.width());
            painter.drawText(place, Qt::AlignVCenter | (column == 0 ? Qt::AlignLeft : Qt::AlignRight), text);
        }
    };

    int top = 0;
    if (headed) {
        painter.setFont(smaller(body));
        painter.setPen(theme().color(Role::QuietText));
        drawCells(m_table.header, top);
        top += rowHeight;
    }
    for (const FactTable::Row& row : m_table.rows) {
        painter.setPen(QPen(theme().color(Role::Grid), 1));
        if (top > 0) {
            painter.drawLine(QPointF(0, top + 0.5), QPointF(width(), top + 0.5));
        }
        painter.setFont(row.total ? bold(body) : body);
        painter.setPen(theme().color(row.breach ? Role::Limit : Role::Text));
        drawCells(row.cells, top);
        top += rowHeight;
    }
}

void ShareBarsBody::display(const std::vector<ShareBar>& bars)
{
    m_bars = bars;
    QStringList lines;
    for (const ShareBar& bar : bars) {
        lines << QStringLiteral("%1 %2").arg(bar.name, bar.value);
    }
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    update();
}

void ShareBarsBody::paint(QPainter& painter)
{
    const QFont strong = bold(theme().body());
    const QFontMetrics metrics(strong);
    int nameWidth = 0;
    int valueWidth = 0;
    for (const ShareBar& bar : m_bars) {
        nameWidth = std::max(nameWidth, metrics.horizontalAdvance(bar.name));
        valueWidth = std::max(valueWidth, metrics.horizontalAdvance(bar.value));
    }
    const int rowHeight = std::clamp(height() / static_cast<int>(m_bars.size()), 24, 46);
    const int barHeight = std::min(20, rowHeight - 8);
    const int left = nameWidth + 16;
    const int room = std::max(40, width() - left - valueWidth - 14);
    int top = 0;
    for (const ShareBar& bar : m_bars) {
        const QRect line(0, top, width(), rowHeight);
        painter.setFont(theme().body());
        painter.setPen(theme().color(Role::Text));
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, bar.name);
        const QRectF track(left, top + (rowHeight - barHeight) / 2, room, barHeight);
        QRectF filled = track;
        filled.setWidth(std::max(2.0, room * std::clamp(bar.share, 0.0, 1.0)));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().color(Role::Grid));
        painter.drawRoundedRect(track, 3, 3);
        painter.setBrush(theme().color(bar.chosen ? Role::Cache : Role::Taken));
        painter.drawRoundedRect(filled, 3, 3);
        painter.setFont(strong);
        painter.setPen(theme().color(Role::Text));
        painter.drawText(
            QRectF(track.right() + 10, top, valueWidth + 4, rowHeight), Qt::AlignLeft | Qt::AlignVCenter, bar.value);
        top += rowHeight;
    }
}

void StepTimesBody::display(const std::optional<StepTimes>& times)
{
    m_times = times;
    if (times) {
        setAccessibleDescription(tr("median %1 ms, p10 %2, p90 %3; additive prediction %4 ms, classic %5 ms")
                                     .arg(times->medianMs)
                                     .arg(times->p10Ms)
                                     .arg(times->p90Ms)
                                     .arg(times->additiveMs)
                                     .arg(times->classicMs));
    }
    update();
}

void StepTimesBody::paint(QPainter& painter)
{
    const StepTimes& times = *m_times;
    double most = std::max({times.p90Ms, times.additiveMs, times.classicMs});
    for (const double sample : times.samplesMs) {
        most = std::max(most, sample);
    }
    most *= 1.08;
    if (!(most > 0) || !std::isfinite(most)) {
        return;
    }

    painter.setFont(theme().tick());
    const QFontMetrics ticks(theme().tick());
    const double step = tickStep(most, std::max(2, height() / 60));
    const int left = ticks.horizontalAdvance(QLocale::c().toString(most, 'g', 4)) + 12;
    const int labelWidth = 150;
    const QRectF plot(left, 6, std::max(60, width() - left - labelWidth), height() - 30);
    const auto y = [&](double value) { return std::round(plot.bottom() - plot.height() * value / most) + 0.5; };

    for (double value = 0; value <= most; value += step) {
        painter.setPen(QPen(theme().color(Role::Grid), 1));
        painter.drawLine(QPointF(plot.left(), y(value)), QPointF(plot.right(), y(value)));
        painter.setPen(theme().color(Role::QuietText));
        painter.drawText(QRectF(0, y(value) - 10, left - 8, 20), Qt::AlignRight | Qt::AlignVCenter,
            QLocale::c().toString(value, 'g', 4));
    }
    painter.setPen(theme().color(Role::QuietText));
    painter.drawText(QRectF(plot.left(), plot.bottom() + 8, plot.width(), 18), Qt::AlignCenter, tr("timed step"));

    const auto samples = static_cast<double>(times.samplesMs.size());
    const auto x
        = [&](std::size_t index) { return plot.left() + plot.width() * (static_cast<double>(index) + 0.5) / samples; };
    QColor band = theme().color(Role::Cache);
    band.setAlphaF(0.12F);
    painter.fillRect(QRectF(plot.left(), y(times.p90Ms), plot.width(), y(times.p10Ms) - y(times.p90Ms)), band);

    struct Line {
        double value;
        QString text;
        Role role;
        Qt::PenStyle style;
    };
    const auto ms = [](double value) { return timeText(value / 1e3); };
    std::vector<Line> lines{{times.medianMs, tr("measured %1").arg(ms(times.medianMs)), Role::Cache, Qt::SolidLine},
        {times.additiveMs, tr("additive %1").arg(ms(times.additiveMs)), Role::Limit, Qt::DashLine},
        {times.classicMs, tr("classic %1").arg(ms(times.classicMs)), Role::Series3, Qt::DotLine}};
    for (const Line& line : lines) {
        painter.setPen(QPen(theme().color(line.role), 2, line.style, Qt::FlatCap));
        painter.drawLine(QPointF(plot.left(), y(line.value)), QPointF(plot.right(), y(line.value)));
    }
    painter.setPen(QPen(theme().color(Role::Card), 1));
    painter.setBrush(theme().color(Role::Cache));
    for (std::size_t i = 0; i < times.samplesMs.size(); ++i) {
        painter.drawEllipse(QPointF(x(i), y(times.samplesMs[i])), 4, 4);
    }

    // Labels at the lines' ends, pushed apart from the top down.
    std::ranges::sort(lines, [](const Line& a, const Line& b) { return a.value > b.value; });
    painter.setFont(bold(smaller(theme().body())));
    double free = plot.top() - 8;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const double below = 17.0 * static_cast<double>(lines.size() - 1 - i);
        const double top = std::min(std::max(y(lines[i].value) - 9, free), plot.bottom() - 9 - below);
        painter.setPen(theme().color(lines[i].role));
        painter.drawText(
            QRectF(plot.right() + 8, top, labelWidth - 8, 18), Qt::AlignLeft | Qt::AlignVCenter, lines[i].text);
        free = top + 17;
    }
}

} // namespace kvplan
