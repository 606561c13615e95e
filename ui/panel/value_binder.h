// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panel/scale.h"

#include <QObject>

#include <optional>

namespace kvplan {

class FieldSlider;
class ValueBox;

/// Links a slider and a box to one value that a third owns. Whichever the hand moves asks the owner through moved() or
/// entered(); show() puts the owner's answer on both and, being locked meanwhile, asks nothing back.
class ValueBinder : public QObject {
    Q_OBJECT

public:
    ValueBinder(FieldSlider& slider, ValueBox& box, Scale scale, QObject* parent);

    /// Without a value the slider rests at its lower end.
    void show(std::optional<double> value, const QString& text);

signals:
    void moved(double value);
    void entered(const QString& text);

private:
    FieldSlider& m_slider;
    ValueBox& m_box;
    Scale m_scale;
    std::optional<double> m_value;
    bool m_showing = false;
};

} // namespace kvplan
