// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_data.h"
#include "ui/charts/plot_labels.h"
#include "ui/charts/plot_layout.h"

#include <QHash>
#include <QPen>
#include <QStaticText>

#include <vector>

class QPainter;

namespace kvplan {

/// A pen of a colour; dashes tell series apart where colours do not.
QPen penOf(const QColor& color, double width, Dash dash);

/// Draws the parts of a plot that are not curves, on whole pixels and without antialiasing, words excepted. Laid-out
/// words are kept from one drawing to the next.
class PlotPainter {
public:
    void paintGrid(QPainter& painter, const PlotData& data, const PlotLayout& layout, const Theme& theme) const;
    void paintBars(QPainter& painter, const PlotData& data, const PlotLayout& layout, const Theme& theme) const;
    /// The lines that lie below the bars, or the others.
    void paintLines(
        QPainter& painter, const PlotData& data, const PlotLayout& layout, const Theme& theme, bool below) const;
    void paintPoint(QPainter& painter, const PlotData& data, const PlotLayout& layout, const Theme& theme) const;
    void paintLabels(QPainter& painter, const std::vector<PlacedLabel>& labels, const Theme& theme);

private:
    QStaticText& words(const PlacedLabel& label, const Theme& theme);

    QHash<QString, QStaticText> m_words;
    double m_typeScale = 0;
};

} // namespace kvplan
