// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_csv.h"

#include "ui/charts/plot_layout.h"

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

QString quoted(const QString& field)
{
    static const QString special = QStringLiteral(",\"\r\n");
    const bool needs = std::any_of(field.begin(), field.end(), [](QChar c) { return special.contains(c); });
    return needs ? QStringLiteral("\"%1\"").arg(QString(field).replace(QLatin1Char('"'), QStringLiteral("\"\"")))
                 : field;
}

QString number(double value)
{
    return QString::number(value, 'g', 12);
}

/// The word on the axis that the bar stands on.
QString categoryOf(const PlotData& data, const PlotBar& bar)
{
    const bool up = data.barsGrow == BarsGrow::Up;
    const double middle = up ? (bar.left + bar.right) / 2 : (bar.bottom + bar.top) / 2;
    const PlotAxis& axis = up ? data.x : data.y;
    for (const Tick& tick : axis.ticks) {
        if (axis.categories && std::abs(tick.at - middle) < 1e-6) {
            return tick.text;
        }
    }
    return {};
}

} // namespace

QString plotCsv(const PlotData& data)
{
    QString csv;
    const auto row = [&](const QString& a, const QString& b, const QString& c) {
        csv += quoted(a) + QLatin1Char(',') + quoted(b) + QLatin1Char(',') + quoted(c) + QLatin1Char('\n');
    };
    const auto name = [](const QString& label, const char* otherwise) {
        return label.isEmpty() ? QString::fromLatin1(otherwise) : label;
    };
    if (data.heat) {
        row(name(data.x.label, "x"), name(data.y.label, "y"), QStringLiteral("share"));
        for (std::size_t r = 0; r < data.heat->rows; ++r) {
            for (std::size_t c = 0; c < data.heat->columns; ++c) {
                const auto middle = [](std::size_t i, std::size_t n) {
                    return (static_cast<double>(i) + 0.5) / static_cast<double>(n);
                };
                row(number(valueAt(data.x, middle(c, data.heat->columns))),
                    number(valueAt(data.y, middle(r, data.heat->rows))),
                    number(data.heat->values[r * data.heat->columns + c]));
            }
        }
        return csv;
    }
    if (!data.bars.empty()) {
        row(QStringLiteral("bar"), QStringLiteral("from"), QStringLiteral("to"));
    }
    for (const PlotBar& bar : data.bars) {
        const bool up = data.barsGrow == BarsGrow::Up;
        const QString words = (categoryOf(data, bar) + QLatin1Char(' ') + bar.label).trimmed();
        row(words, number(up ? bar.bottom : bar.left), number(up ? bar.top : bar.right));
    }
    if (!data.series.empty() || data.point) {
        row(QStringLiteral("series"), name(data.x.label, "x"), name(data.y.label, "y"));
    }
    for (const PlotSeries& series : data.series) {
        for (const QPointF& point : series.points) {
            row(series.name, number(point.x()), number(point.y()));
        }
    }
    if (data.point) {
        row(name(data.point->label, "operating point"), number(data.point->at.x()), number(data.point->at.y()));
    }
    return csv;
}

} // namespace kvplan
