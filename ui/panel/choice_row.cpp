// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/choice_row.h"

#include "ui/editor/scenario_editor.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

namespace kvplan {

ChoiceRow::ChoiceRow(Field field, ScenarioEditor& editor, QWidget* parent)
    : FieldRow({field}, editor, parent)
    , m_box(new QComboBox(this))
{
    for (const std::string_view choice : choices(field)) {
        m_box->addItem(QString::fromUtf8(choice.data(), static_cast<qsizetype>(choice.size())));
    }
    m_box->setFixedHeight(rowBoxHeight);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* name = makeLabel(fieldLabel(field), m_box);
    name->setMinimumWidth(rowLabelWidth);
    layout->addWidget(name);
    layout->addWidget(m_box, 1);
    connect(m_box, &QComboBox::activated, this, [this] {
        static_cast<void>(this->editor().setText(this->field(), m_box->currentText().toStdString()));
        refresh();
    });
    refresh();
}

void ChoiceRow::refresh()
{
    m_box->setCurrentIndex(m_box->findText(QString::fromStdString(text(editor().scenario(), field()))));
}

} // namespace kvplan
