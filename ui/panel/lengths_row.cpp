// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/lengths_row.h"

#include "ui/editor/scenario_editor.h"
#include "ui/panel/value_box.h"

#include <QLabel>
#include <QVBoxLayout>

namespace kvplan {

LengthsRow::LengthsRow(Field field, ScenarioEditor& editor, QWidget* parent)
    : FieldRow({field}, editor, parent)
    , m_box(new ValueBox(QString(), this))
{
    m_box->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_box->setTextMargins(4, 0, 4, 0);
    m_box->setFixedHeight(rowBoxHeight);
    m_box->setPlaceholderText(
        field == Field::Prompt ? QStringLiteral("lognormal:1155,3500") : QStringLiteral("exponential:211"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 4);
    layout->setSpacing(2);
    layout->addWidget(makeLabel(fieldLabel(field), m_box));
    layout->addWidget(m_box);
    connect(m_box, &ValueBox::entered, this, &LengthsRow::enter);
    refresh();
}

void LengthsRow::refresh()
{
    m_box->display(QString::fromStdString(text(editor().scenario(), field())));
    m_box->setCursorPosition(0);
}

void LengthsRow::enter(const QString& text)
{
    if (text.trimmed().isEmpty()) {
        resetFields();
        return;
    }
    const bool accepted = editor().setText(field(), text.toStdString()).has_value();
    refresh();
    m_box->setRefused(!accepted);
}

} // namespace kvplan
