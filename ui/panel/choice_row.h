// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panel/field_row.h"

class QComboBox;

namespace kvplan {

/// Label and drop-down for a Choice field.
class ChoiceRow : public FieldRow {
    Q_OBJECT

public:
    ChoiceRow(Field field, ScenarioEditor& editor, QWidget* parent);

    void refresh() override;

private:
    QComboBox* m_box;
};

} // namespace kvplan
