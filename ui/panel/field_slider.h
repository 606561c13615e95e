// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panel/scale.h"

#include <QSlider>

#include <vector>

namespace kvplan {

/// Whole positions with dotted stops. Arrows go to the next value, Page keys to the next stop, Home and End to the
/// ends; a double click asks for the default. The wheel scrolls the panel, not the value.
class FieldSlider : public QSlider {
    Q_OBJECT

public:
    explicit FieldSlider(QWidget* parent = nullptr);

    void setScale(const Scale& scale);

    /// Positions without values of their own, every one a stop.
    void setStopCount(int count);

    /// Positions that the style draws a dot under.
    const std::vector<int>& stops() const { return m_stops; }

signals:
    void resetRequested();
    /// A new movement begins: all changes until the next belong together.
    void gestureStarted();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    std::optional<Scale> m_scale;
    std::vector<int> m_stops;
};

} // namespace kvplan
