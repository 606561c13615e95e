// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_painter.h"

#include "core/text_file.h"
#include "ui/charts/plot_view.h"

#include <qcustomplot.h>

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace kvplan {

class ChartPainter::Vector : public QCPPainter {
public:
    explicit Vector(QPaintDevice& surface)
        : QCPPainter(&surface)
    {
        setMode(QCPPainter::pmVectorized);
        setMode(QCPPainter::pmNoCaching);
    }
};

ChartPainter::ChartPainter(QPaintDevice& surface)
    : m_vector(std::make_unique<Vector>(surface))
{
    m_vector->setRenderHint(QPainter::Antialiasing);
    m_vector->setRenderHint(QPainter::TextAntialiasing);
}

ChartPainter::~ChartPainter() = default;

QPainter& ChartPainter::painter()
{
    return *m_vector;
}

void ChartPainter::drawPlot(PlotView& plot, QRect where)
{
    m_vector->save();
    m_vector->translate(where.topLeft());
    plot.paintPlot(*m_vector, where.size());
    m_vector->restore();
}

namespace {

using Draw = std::function<void(ChartPainter&)>;

void drawPng(QIODevice& out, QSize size, double scale, const Draw& draw)
{
    QImage image((QSizeF(size) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    {
        ChartPainter painter(image);
        draw(painter);
    }
    image.setDevicePixelRatio(1);
    image.save(&out, "PNG");
}

void drawSvg(QIODevice& out, QSize size, const Draw& draw)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(QStringLiteral("kvplan"));
    ChartPainter painter(generator);
    draw(painter);
}

void drawPdf(QIODevice& out, QSize size, const Draw& draw)
{
    QPdfWriter writer(&out);
    writer.setResolution(96);
    writer.setTitle(QStringLiteral("kvplan"));
    // A pixel is 0.75 points, so that the page is the picture.
    writer.setPageSize(QPageSize(QSizeF(size) * 0.75, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    ChartPainter painter(writer);
    draw(painter);
}

} // namespace

Result<void> writePicture(const QString& path, QSize size, double scale, const Draw& draw)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (suffix == QStringLiteral("png")) {
        drawPng(buffer, size, scale, draw);
    } else if (suffix == QStringLiteral("svg")) {
        drawSvg(buffer, size, draw);
    } else if (suffix == QStringLiteral("pdf")) {
        drawPdf(buffer, size, draw);
    } else {
        return failure(ErrorCode::Unsupported, "\"" + path.toStdString() + "\" does not end in png, svg or pdf", "out",
            "give the picture one of these endings");
    }
    return writeFile(path.toStdString(), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace kvplan
