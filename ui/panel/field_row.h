// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/fields.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

class QLabel;

namespace kvplan {

class ScenarioEditor;

/// Label width that pickers and choices share, so that their boxes stand in one column.
constexpr int rowLabelWidth = 84;
constexpr int rowBoxWidth = 118; ///< holds 100,000,000 beside its unit
constexpr int rowBoxHeight = 26;

/// "8,192" for whole numbers, at most five digits for others, as the boxes show them; empty where there is no value.
QString shownNumber(const FieldSpec& field, std::optional<double> value);

/// "window 4,096 tok · latent rank 512": those of the fields that the scenario sets itself.
QString givenSummary(const Scenario& scenario, const std::vector<Field>& fields);

QString fieldLabel(Field field);
/// The unit as short as a box needs it.
QString fieldUnit(Field field);

/// One control of the panel: it shows the fields it stands for and asks the editor to change them. Double-clicking its
/// label resets them; its tooltip is the formula they enter, with the values of the moment.
class FieldRow : public QWidget {
    Q_OBJECT

public:
    FieldRow(std::vector<Field> fields, ScenarioEditor& editor, QWidget* parent);

    const std::vector<Field>& fields() const { return m_fields; }
    virtual void refresh() = 0;

    void resetFields();

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    ScenarioEditor& editor() const { return m_editor; }
    Field field() const { return m_fields.front(); }
    const FieldSpec& fieldSpec() const { return spec(field()); }

    /// The label, wired for the double click; `buddy` gets its name for the ear.
    QLabel* makeLabel(const QString& text, QWidget* buddy);

private:
    QString toolTipText() const;

    std::vector<Field> m_fields;
    ScenarioEditor& m_editor;
};

} // namespace kvplan
