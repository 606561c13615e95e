// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/scenario/scenario.h"
#include "gpu/measurement.h"

#include <QSize>
#include <QString>

#include <optional>

class QWidget;

class QWidget;

namespace kvplan {

/// Writes the picture that the window would show: view "plan" or "measure", size in pixels of 200 to 16,384 a side, the
/// kind of file by its suffix (png, svg or pdf). Without a measurement the measure view shows what would be allocated.
/// Needs a QApplication; any platform does. A failure leaves what was at `outPath`.
Result<void> renderView(const QString& view, const Scenario& scenario, const std::optional<Measurement>& measurement,
    QSize size, bool dark, const QString& outPath);

/// Draws a widget into a file of that kind.
Result<void> renderWidget(QWidget& widget, const QString& outPath);

} // namespace kvplan
