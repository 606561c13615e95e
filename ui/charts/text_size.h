// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QSizeF>
#include <QString>

namespace kvplan {

/// Whole pixels that one line of words takes in a font of the theme. Shaping words is the dearest part of laying out a
/// plot and most words stay from one step of a slider to the next, so answers are remembered (by thread).
QSizeF textSize(const QString& text, const QFont& font);

} // namespace kvplan
