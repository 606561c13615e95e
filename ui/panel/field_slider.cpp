// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/field_slider.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <numeric>

namespace kvplan {

FieldSlider::FieldSlider(QWidget* parent)
    : QSlider(Qt::Horizontal, parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setFixedHeight(18);
}

void FieldSlider::setScale(const Scale& scale)
{
    m_scale = scale;
    m_stops = scale.stops();
    setRange(0, scale.maximum());
}

void FieldSlider::setStopCount(int count)
{
    m_stops.resize(static_cast<std::size_t>(count));
    std::iota(m_stops.begin(), m_stops.end(), 0);
    setRange(0, count - 1);
}

void FieldSlider::keyPressEvent(QKeyEvent* event)
{
    const auto step
        = [&](int direction) { return m_scale ? m_scale->stepped(value(), direction) : value() + direction; };
    const auto page = [&](int direction) { return m_scale ? m_scale->paged(value(), direction) : value() + direction; };

    int target = value();
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Plus:
        target = step(+1);
        break;
    case Qt::Key_Left:
    case Qt::Key_Down:
    case Qt::Key_Minus:
        target = step(-1);
        break;
    case Qt::Key_PageUp:
        target = page(+1);
        break;
    case Qt::Key_PageDown:
        target = page(-1);
        break;
    case Qt::Key_Home:
        target = minimum();
        break;
    case Qt::Key_End:
        target = maximum();
        break;
    case Qt::Key_Backspace:
    case Qt::Key_Delete:
        emit resetRequested();
        return;
    default:
        QSlider::keyPressEvent(event);
        return;
    }
    if (!event->isAutoRepeat()) {
        emit gestureStarted();
    }
    setValue(target);
}

void FieldSlider::mousePressEvent(QMouseEvent* event)
{
    emit gestureStarted();
    QSlider::mousePressEvent(event);
}

void FieldSlider::mouseDoubleClickEvent(QMouseEvent* event)
{
    event->accept();
    emit resetRequested();
}

void FieldSlider::wheelEvent(QWheelEvent* event)
{
    event->ignore();
}

} // namespace kvplan
