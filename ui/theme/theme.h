// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

namespace kvplan {

/// What a colour means, the same on every chart and control.
enum class Role {
    Ground, ///< behind the cards
    Card,
    Edge, ///< of cards and boxes
    Grid,
    Text,
    QuietText, ///< subtitles, ticks, units
    Cache, ///< blue: the cache, the chosen scenario
    CacheDeep, ///< what of it is live
    Fits, ///< green: fits, or the alternative
    Limit, ///< vermillion: the limit, the ask, the breach
    LimitWash, ///< its area
    Estimate, ///< orange: an estimate with a band
    Taken, ///< grey: what is taken away
    TakenDeep,
    Series3, ///< purple
    Series4, ///< sky
    Point, ///< the operating point's disc
};

/// Colours and type of the window, its charts and its exports. Text on Card keeps a contrast of 4.5, lines 3.
struct Theme {
    bool dark = false;
    double typeScale = 1; ///< above 1 when presenting

    QColor color(Role role) const;
    QPalette palette() const;

    QFont tick() const; ///< 11 px
    QFont body() const; ///< 13 px, controls
    QFont strong() const; ///< 13 px, medium
    QFont title() const; ///< 15 px, medium
    QFont verdict() const; ///< 22 px, medium
};

/// Registers the bundled typeface; once, before the first widget.
void loadTypeface();

} // namespace kvplan
