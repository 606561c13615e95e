// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/value_binder.h"

#include "ui/panel/field_slider.h"
#include "ui/panel/value_box.h"

#include <QScopedValueRollback>

namespace kvplan {

ValueBinder::ValueBinder(FieldSlider& slider, ValueBox& box, Scale scale, QObject* parent)
    : QObject(parent)
    , m_slider(slider)
    , m_box(box)
    , m_scale(std::move(scale))
{
    connect(&slider, &QSlider::valueChanged, this, [this](int position) {
        if (!m_showing) {
            emit moved(m_scale.value(position));
        }
    });
    connect(&box, &ValueBox::entered, this, [this](const QString& text) {
        if (!m_showing) {
            emit entered(text);
        }
    });
    connect(&box, &ValueBox::stepped, this, [this](int direction) {
        const int here = m_value ? m_scale.position(*m_value) : 0;
        const double hereValue = m_scale.value(here);
        const bool towards = m_value && (direction > 0 ? hereValue > *m_value : hereValue < *m_value);
        emit moved(m_scale.value(towards ? here : m_scale.stepped(here, direction)));
    });
}

void ValueBinder::show(std::optional<double> value, const QString& text)
{
    const QScopedValueRollback<bool> lock(m_showing, true);
    m_value = value;
    m_slider.setValue(value ? m_scale.position(*value) : 0);
    m_box.display(text);
}

} // namespace kvplan
