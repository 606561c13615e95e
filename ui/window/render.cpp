// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/render.h"

#include "ui/charts/chart_painter.h"
#include "ui/charts/plot_view.h"
#include "ui/editor/scenario_editor.h"
#include "ui/measure/measure_tab.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QFileInfo>

#include <algorithm>
#include <vector>

namespace kvplan {

namespace {

constexpr int smallestSide = 200;
constexpr int largestSide = 16384;

bool isPicture(const QString& path)
{
    const QStringList suffixes{QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")};
    return suffixes.contains(QFileInfo(path).suffix().toLower());
}

} // namespace

Result<void> renderWidget(QWidget& widget, const QString& outPath)
{
    // Plots draw themselves as vectors over the place that their widgets leave empty.
    std::vector<PlotView*> plots;
    for (PlotView* plot : widget.findChildren<PlotView*>()) {
        if (plot->isVisibleTo(&widget)) {
            plots.push_back(plot);
        }
    }
    return writePicture(outPath, widget.size(), 1, [&](ChartPainter& painter) {
        for (PlotView* plot : plots) {
            plot->setVisible(false);
        }
        widget.render(&painter.painter(), {}, {}, QWidget::DrawWindowBackground | QWidget::DrawChildren);
        for (PlotView* plot : plots) {
            painter.drawPlot(*plot, QRect(plot->mapTo(&widget, QPoint()), plot->size()));
            plot->setVisible(true);
        }
    });
}

Result<void> renderView(const QString& view, const Scenario& scenario, const std::optional<Measurement>& measurement,
    QSize size, bool dark, const QString& outPath)
{
    if (view != QStringLiteral("plan") && view != QStringLiteral("measure")) {
        return failure(
            ErrorCode::NotFound, "there is no view \"" + view.toStdString() + "\"", "view", "use plan or measure");
    }
    if (std::min(size.width(), size.height()) < smallestSide || std::max(size.width(), size.height()) > largestSide) {
        return failure(ErrorCode::InvalidValue,
            "a picture of " + std::to_string(size.width()) + " × " + std::to_string(size.height())
                + " pixels cannot be drawn",
            "size", "give a width and a height from 200 to 16384");
    }
    if (!isPicture(outPath)) {
        return failure(ErrorCode::Unsupported, "\"" + outPath.toStdString() + "\" does not end in png, svg or pdf",
            "out", "give the picture one of these endings");
    }

    MainWindow window(MainWindow::Use::Picture);
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.setThemeChoice(dark ? ThemeChoice::Dark : ThemeChoice::Light);
    window.editor().open({scenario, {}});
    if (!window.editor().plan()) {
        return tl::unexpected<Error>(window.editor().plan().error());
    }
    window.setTab(view == QStringLiteral("plan") ? MainWindow::PlanPage : MainWindow::MeasurePage);
    if (measurement) {
        window.measureTab().display(*measurement);
    }
    window.setFixedSize(size);
    window.show();
    QApplication::sendPostedEvents();
    QApplication::processEvents();
    return renderWidget(*window.centralWidget(), outPath);
}

} // namespace kvplan
