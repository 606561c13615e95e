// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/render.h"

#include "ui/editor/scenario_editor.h"
#include "ui/measure/measure_tab.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace kvplan {

namespace {

constexpr int smallestSide = 200;
constexpr int largestSide = 16384;

void drawWidget(QWidget& widget, QPainter& painter)
{
    widget.render(&painter, {}, {}, QWidget::DrawWindowBackground | QWidget::DrawChildren);
}

QByteArray pngOf(QWidget& widget)
{
    QImage image(widget.size(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    drawWidget(widget, painter);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray svgOf(QWidget& widget)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(widget.size());
    generator.setViewBox(QRect(QPoint(), widget.size()));
    generator.setTitle(QStringLiteral("kvplan"));
    QPainter painter(&generator);
    drawWidget(widget, painter);
    painter.end();
    return bytes;
}

QByteArray pdfOf(QWidget& widget)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(96);
    writer.setTitle(QStringLiteral("kvplan"));
    // A pixel is 0.75 points, so that the page is the picture.
    writer.setPageSize(QPageSize(QSizeF(widget.size()) * 0.75, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    drawWidget(widget, painter);
    painter.end();
    return bytes;
}

tl::unexpected<Error> refusedSuffix(const QString& path)
{
    return failure(ErrorCode::Unsupported, "\"" + path.toStdString() + "\" does not end in png, svg or pdf", "out",
        "give the picture one of these endings");
}

} // namespace

Result<void> renderWidget(QWidget& widget, const QString& outPath)
{
    const QString suffix = QFileInfo(outPath).suffix().toLower();
    QByteArray bytes;
    if (suffix == QStringLiteral("png")) {
        bytes = pngOf(widget);
    } else if (suffix == QStringLiteral("svg")) {
        bytes = svgOf(widget);
    } else if (suffix == QStringLiteral("pdf")) {
        bytes = pdfOf(widget);
    } else {
        return refusedSuffix(outPath);
    }
    QSaveFile file(outPath);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        return failure(ErrorCode::Unwritable, "the picture cannot be written: " + file.errorString().toStdString(),
            outPath.toStdString(), "choose another folder or name");
    }
    return {};
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
    const QString suffix = QFileInfo(outPath).suffix().toLower();
    if (!QStringList{QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")}.contains(suffix)) {
        return refusedSuffix(outPath);
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
