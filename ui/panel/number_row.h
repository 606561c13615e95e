// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panel/field_row.h"

class QLabel;

namespace kvplan {

class FieldSlider;
class ValueBinder;
class ValueBox;

/// Label and value box above a slider, for an Integer or Real field.
class NumberRow : public FieldRow {
    Q_OBJECT

public:
    NumberRow(Field field, ScenarioEditor& editor, QWidget* parent);

    void refresh() override;

    /// Quiet words beside the label, such as the grouping beside KV heads.
    void setNote(const QString& note);

private:
    void enter(const QString& text);

    QLabel* m_note;
    ValueBox* m_box;
    FieldSlider* m_slider;
    ValueBinder* m_binder;
    int m_gesture = 0;
};

} // namespace kvplan
