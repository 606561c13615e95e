// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_view.h"

#include "ui/charts/numbers.h"
#include "ui/charts/plot_engine.h"

#include <qcustomplot.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWindow>

#include <cmath>

namespace kvplan {

namespace {

constexpr double grip = 16; ///< pixels around the operating point that take hold of it
constexpr int dragMargin = 1;

} // namespace

/// What plot_engine.h calls PlotEngine, kept out of the header.
class PlotView::Engine : public PlotEngine {
public:
    using PlotEngine::PlotEngine;
};

PlotView::PlotView(QWidget* parent)
    : QWidget(parent)
    , m_engine(std::make_unique<Engine>(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(&m_engine->plot());
    m_engine->plot().installEventFilter(this);
    m_engine->plot().setMouseTracking(true);
    m_engine->plot().setFocusPolicy(Qt::NoFocus);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(120, 90);
}

PlotView::~PlotView() = default;

void PlotView::show(const PlotData& data)
{
    if (data == m_engine->data()) {
        return;
    }
    setAccessibleName(data.title);
    setAccessibleDescription(data.summary);
    m_engine->setData(data);
    m_engine->draw();
}

const PlotData& PlotView::data() const
{
    return m_engine->data();
}

void PlotView::setTheme(const Theme& theme)
{
    m_engine->setTheme(theme);
    m_engine->draw();
}

void PlotView::paintPlot(QCPPainter& painter, QSize size)
{
    m_engine->paint(painter, size);
}

const std::vector<PlacedLabel>& PlotView::labels() const
{
    return m_engine->labels();
}

QPointF PlotView::pixelOf(QPointF value) const
{
    return m_engine->layout().pixel(m_engine->data(), value);
}

int PlotView::redraws() const
{
    return m_engine->redraws();
}

double PlotView::bufferRatio() const
{
    return m_engine->plot().bufferDevicePixelRatio();
}

void PlotView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_engine->draw();
}

void PlotView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (QWindow* handle = window()->windowHandle()) {
        connect(handle, &QWindow::screenChanged, this, &PlotView::followScreen, Qt::UniqueConnection);
    }
    followScreen();
}

/// QCustomPlot 2.1.0 keeps its first screen's ratio; 2.1.1 follows by itself.
void PlotView::followScreen()
{
    if (m_engine->plot().bufferDevicePixelRatio() != devicePixelRatioF()) {
        m_engine->plot().setBufferDevicePixelRatio(devicePixelRatioF());
        m_engine->draw();
    }
}

bool PlotView::nearPoint(QPointF position) const
{
    const auto& point = data().point;
    return point && point->draggable && QLineF(pixelOf(point->at), position).length() <= grip;
}

void PlotView::hover(QPointF position)
{
    const PlotLayout& layout = m_engine->layout();
    if (!layout.axes.contains(position) || !data().message.isEmpty()) {
        QToolTip::hideText();
        return;
    }
    const QPointF at = layout.value(data(), position);
    QStringList lines;
    for (const PlotSeries& series : data().series) {
        const auto after = std::ranges::lower_bound(series.points, at.x(), {}, [](const QPointF& p) { return p.x(); });
        if (series.name.isEmpty() || after == series.points.begin() || after == series.points.end()) {
            continue;
        }
        // Between two points along the straight line that is drawn there.
        const QPointF a = layout.pixel(data(), *(after - 1));
        const QPointF b = layout.pixel(data(), *after);
        const double share = (position.x() - a.x()) / std::max(1e-9, b.x() - a.x());
        const double value = layout.value(data(), a + share * (b - a)).y();
        lines << QStringLiteral("%1: %2").arg(series.name, significant(value));
    }
    if (data().heat) {
        lines << QStringLiteral("%1 sequences of %2 tokens")
                     .arg(significant(std::round(at.y())), significant(std::round(at.x())));
        const auto& heat = *data().heat;
        const auto column = static_cast<std::size_t>(shareOf(data().x, at.x()) * static_cast<double>(heat.columns));
        const auto row = static_cast<std::size_t>(shareOf(data().y, at.y()) * static_cast<double>(heat.rows));
        if (column < heat.columns && row < heat.rows) {
            lines << QStringLiteral("%1 % of the pool")
                         .arg(significant(std::round(100 * heat.values[row * heat.columns + column])));
        }
    } else if (!lines.isEmpty()) {
        lines.prepend(QStringLiteral("%1 %2").arg(
            data().x.label.isEmpty() ? QString() : data().x.label + QLatin1Char(':'), significant(at.x())));
    }
    if (lines.isEmpty()) {
        QToolTip::hideText();
    } else {
        QToolTip::showText(mapToGlobal(position.toPoint()) + QPoint(12, 12), lines.join(QLatin1Char('\n')), this);
    }
}

bool PlotView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != &m_engine->plot()) {
        return QWidget::eventFilter(watched, event);
    }
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        setFocus(Qt::MouseFocusReason);
        if (mouse->button() == Qt::LeftButton && nearPoint(mouse->position())) {
            m_dragging = true;
            m_engine->plot().setCursor(Qt::ClosedHandCursor);
            return true;
        }
        return false;
    }
    case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (m_dragging) {
            const QRectF room = m_engine->layout().axes.adjusted(dragMargin, dragMargin, -dragMargin, -dragMargin);
            const QPointF inside(std::clamp(mouse->position().x(), room.left(), room.right()),
                std::clamp(mouse->position().y(), room.top(), room.bottom()));
            emit pointMoved(m_engine->layout().value(data(), inside));
            return true;
        }
        m_engine->plot().setCursor(nearPoint(mouse->position()) ? Qt::OpenHandCursor : Qt::ArrowCursor);
        hover(mouse->position());
        return false;
    }
    case QEvent::MouseButtonRelease:
        if (m_dragging) {
            m_dragging = false;
            m_engine->plot().setCursor(Qt::ArrowCursor);
            emit pointReleased();
            return true;
        }
        return false;
    case QEvent::Leave:
        QToolTip::hideText();
        return false;
    case QEvent::Wheel:
        event->ignore();
        return true;
    default:
        return false;
    }
}

void PlotView::keyPressEvent(QKeyEvent* event)
{
    const auto& point = data().point;
    QPointF at = point ? point->at : QPointF();
    switch (point && point->draggable ? event->key() : 0) {
    case Qt::Key_Left:
        at.setX(at.x() / 2);
        break;
    case Qt::Key_Right:
        at.setX(at.x() * 2);
        break;
    case Qt::Key_Down:
        at.setY(std::min(at.y() - 1, std::floor(at.y() / 1.1)));
        break;
    case Qt::Key_Up:
        at.setY(std::max(at.y() + 1, std::ceil(at.y() * 1.1)));
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    if (at.x() > 0 && at.y() > 0) {
        emit pointMoved(at);
        emit pointReleased();
    }
}

} // namespace kvplan
