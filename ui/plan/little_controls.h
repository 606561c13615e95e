// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDoubleSpinBox;

namespace kvplan {

/// Rate and time beside the scenario's concurrency: with B given, either box decides the other.
class LittleControls : public QWidget {
    Q_OBJECT

public:
    explicit LittleControls(QWidget* parent = nullptr);

    double timeSeconds() const { return m_timeSeconds; }
    void setTime(double seconds);
    /// The number in the system, which the scenario owns.
    void setInSystem(double sequences);

signals:
    void timeChanged(double seconds);

private:
    void refresh();

    double m_inSystem = 1;
    double m_timeSeconds = 20;
    QDoubleSpinBox* m_rate;
    QDoubleSpinBox* m_time;
};

} // namespace kvplan
