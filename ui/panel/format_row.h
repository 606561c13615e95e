// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panel/field_row.h"

class QComboBox;
class QLabel;

namespace kvplan {

class FieldSlider;

/// The element format of keys, of values, or of both: a box that names it above a slider whose stops are the formats by
/// bytes per element.
class FormatRow : public FieldRow {
    Q_OBJECT

public:
    FormatRow(const QString& label, std::vector<Field> fields, ScenarioEditor& editor, QWidget* parent);

    void refresh() override;

private:
    void choose(int index);

    QLabel* m_note;
    QComboBox* m_box;
    FieldSlider* m_slider;
    std::vector<std::string> m_names; ///< by rising bytes per element
    int m_gesture = 0;
    bool m_showing = false;
};

} // namespace kvplan
