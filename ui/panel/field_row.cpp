// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/field_row.h"

#include "core/plan/explain.h"
#include "ui/editor/scenario_editor.h"

#include <QComboBox>
#include <QEvent>
#include <QHelpEvent>
#include <QLabel>
#include <QLocale>
#include <QToolTip>

namespace kvplan {

namespace {

QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

QString shownNumber(const FieldSpec& field, std::optional<double> value)
{
    if (!value) {
        return {};
    }
    QLocale locale = QLocale::c();
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    if (field.kind == FieldKind::Integer) {
        return locale.toString(static_cast<qlonglong>(*value));
    }
    return locale.toString(*value, 'g', 5);
}

QString fieldLabel(Field field)
{
    return fromView(spec(field).label);
}

QString fieldUnit(Field field)
{
    return spec(field).unit == "tokens" ? QStringLiteral("tok") : fromView(spec(field).unit);
}

QString givenSummary(const Scenario& scenario, const std::vector<Field>& fields)
{
    QStringList parts;
    for (const Field field : fields) {
        if (!isGiven(scenario, field)) {
            continue;
        }
        const FieldSpec& description = spec(field);
        const bool number = description.kind == FieldKind::Integer || description.kind == FieldKind::Real;
        const QString value = number ? shownNumber(description, effective(scenario, field))
                                     : QString::fromStdString(text(scenario, field));
        parts << QStringLiteral("%1 %2 %3")
                     .arg(fieldLabel(field).toLower(), value, number ? fieldUnit(field) : QString())
                     .trimmed();
    }
    return parts.join(QStringLiteral(" · "));
}

FieldRow::FieldRow(std::vector<Field> fields, ScenarioEditor& editor, QWidget* parent)
    : QWidget(parent)
    , m_fields(std::move(fields))
    , m_editor(editor)
{
    setObjectName(fromView(fieldSpec().key));
}

void FieldRow::resetFields()
{
    m_editor.reset(m_fields);
    refresh();
}

QLabel* FieldRow::makeLabel(const QString& text, QWidget* buddy)
{
    auto* label = new QLabel(text, this);
    label->setBuddy(buddy);
    setFocusProxy(buddy);
    buddy->setFocusPolicy(Qt::StrongFocus);
    buddy->installEventFilter(this);
    label->installEventFilter(this);
    buddy->setAccessibleName(text);
    return label;
}

bool FieldRow::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonDblClick && qobject_cast<QLabel*>(watched) != nullptr) {
        resetFields();
        return true;
    }
    if (event->type() == QEvent::Wheel && qobject_cast<QComboBox*>(watched) != nullptr) {
        event->ignore(); // the wheel scrolls the panel
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

bool FieldRow::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), toolTipText(), this);
        return true;
    }
    return QWidget::event(event);
}

QString FieldRow::toolTipText() const
{
    const FieldSpec& description = fieldSpec();
    QString text
        = QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(fromView(description.help).toHtmlEscaped());
    if (m_editor.plan()) {
        const std::string formula = explain(field(), m_editor.scenario(), *m_editor.plan());
        if (!formula.empty()) {
            text += QStringLiteral("<p style='white-space:pre'>%1</p>")
                        .arg(QString::fromStdString(formula).toHtmlEscaped());
        }
    }
    return text + QStringLiteral("<p>%1</p>").arg(tr("Double-click to reset."));
}

} // namespace kvplan
