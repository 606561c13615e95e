// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panel/field_row.h"

namespace kvplan {

class ValueBox;

/// A distribution of lengths, typed as the command line takes it; an empty box stands for none.
class LengthsRow : public FieldRow {
    Q_OBJECT

public:
    LengthsRow(Field field, ScenarioEditor& editor, QWidget* parent);

    void refresh() override;

private:
    void enter(const QString& text);

    ValueBox* m_box;
};

} // namespace kvplan
