// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/scenario/fields.h"

#include <QScrollArea>

#include <functional>
#include <vector>

class QVBoxLayout;

namespace kvplan {

class FieldRow;
class Fold;
class NumberRow;
class Picker;
class ScenarioEditor;

/// Every input of the scenario: the common ones in the open, the rare ones in folded sections, which are built when
/// they are first opened.
class ScenarioPanel : public QScrollArea {
    Q_OBJECT

public:
    static constexpr int panelWidth = 300;

    explicit ScenarioPanel(ScenarioEditor& editor, QWidget* parent = nullptr);

    void openAllFolds();

    /// Brings a field's control into view and gives it the focus.
    void reveal(Field field);

signals:
    void openModelRequested();
    void failed(const kvplan::Error& error);

private:
    using Builder = std::function<void(QVBoxLayout&)>;

    Fold* addGroup(const QString& title, std::function<QString()> summary);
    void addDetail(Fold& group, const QString& title, std::vector<Field> fields, Builder build);
    FieldRow* rowOf(Field field) const;
    FieldRow* addRow(QVBoxLayout& layout, Field field);
    void addRows(QVBoxLayout& layout, const std::vector<Field>& fields);
    Picker* addPicker(QVBoxLayout& layout, const QString& label, Picker* picker);

    void buildModel();
    void buildCache();
    void buildAccelerator();
    void buildParallelism();
    void buildEngine();
    void buildWorkload();

    void refresh();
    void pickModel(const QString& name);
    void pickAccelerator(const QString& name);
    void pickMix(const QString& name);

    struct Section {
        Fold* fold;
        std::function<QString()> summary;
        std::vector<Field> fields; ///< of a detail, which may not be built yet
    };

    ScenarioEditor& m_editor;
    QVBoxLayout* m_layout;
    std::vector<Section> m_sections;
    std::vector<FieldRow*> m_rows;
    Picker* m_model = nullptr;
    Picker* m_card = nullptr;
    Picker* m_mix = nullptr;
    NumberRow* m_kvHeads = nullptr;
};

} // namespace kvplan
