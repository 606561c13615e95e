// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/number_row.h"

#include "ui/editor/scenario_editor.h"
#include "ui/panel/field_slider.h"
#include "ui/panel/value_binder.h"
#include "ui/panel/value_box.h"

#include <QGridLayout>
#include <QLabel>

namespace kvplan {

NumberRow::NumberRow(Field field, ScenarioEditor& editor, QWidget* parent)
    : FieldRow({field}, editor, parent)
    , m_note(new QLabel(this))
    , m_box(new ValueBox(fieldUnit(field), this))
    , m_slider(new FieldSlider(this))
{
    const Scale scale(fieldSpec());
    m_slider->setScale(scale);
    m_binder = new ValueBinder(*m_slider, *m_box, scale, this);

    m_box->setFixedSize(rowBoxWidth, rowBoxHeight);
    m_box->setPlaceholderText(QStringLiteral("–"));
    m_box->setAccessibleDescription(
        QString::fromUtf8(fieldSpec().help.data(), static_cast<qsizetype>(fieldSpec().help.size())));
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->installEventFilter(this);

    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(6);
    layout->setVerticalSpacing(0);
    layout->addWidget(makeLabel(fieldLabel(this->field()), m_box), 0, 0);
    layout->addWidget(m_note, 0, 1);
    layout->addWidget(m_box, 0, 2);
    layout->addWidget(m_slider, 1, 0, 1, 3);
    layout->setColumnStretch(1, 1);

    connect(m_slider, &FieldSlider::gestureStarted, this, [this] { m_gesture = this->editor().newGesture(); });
    connect(m_slider, &QSlider::sliderReleased, this, [this] { refresh(); });
    connect(m_slider, &FieldSlider::resetRequested, this, [this] { resetFields(); });
    connect(m_binder, &ValueBinder::moved, this, [this](double value) {
        static_cast<void>(this->editor().setNumber(this->field(), value, m_gesture));
        refresh();
    });
    connect(m_binder, &ValueBinder::entered, this, &NumberRow::enter);
    refresh();
}

void NumberRow::refresh()
{
    const std::optional<double> value = effective(editor().scenario(), field());
    const QString text = shownNumber(fieldSpec(), value);
    m_binder->show(value, text);
    m_slider->setAccessibleName(tr("%1 slider").arg(fieldLabel(this->field())));
    m_slider->setAccessibleDescription(
        text.isEmpty() ? tr("not given") : QStringLiteral("%1 %2").arg(text, fieldUnit(this->field())).trimmed());
}

void NumberRow::setNote(const QString& note)
{
    m_note->setText(note);
}

void NumberRow::enter(const QString& text)
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
