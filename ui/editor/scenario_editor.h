// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/scenario/fields.h"
#include "core/scenario/scenario_file.h"

#include <QObject>
#include <QString>

#include <chrono>
#include <optional>
#include <span>
#include <string>

class QUndoStack;

namespace kvplan {

struct FieldText {
    Field field;
    std::string text;
};

struct FieldNumber {
    Field field;
    double value;
};

/// Owns the scenario, its history and its plan. The only thing in the window that changes a scenario: widgets ask here
/// and hear of every change through changed(), once a change.
class ScenarioEditor : public QObject {
    Q_OBJECT

public:
    explicit ScenarioEditor(QObject* parent = nullptr);
    ~ScenarioEditor() override;

    const Scenario& scenario() const { return m_document.scenario; }
    const ScenarioDocument& document() const { return m_document; }
    const Result<Plan>& plan() const { return m_plan; }
    /// The newest plan that did not fail; shown dimmed while plan() is an Error.
    const Plan& lastGoodPlan() const { return m_lastGood; }
    std::chrono::nanoseconds planTime() const { return m_planTime; }
    QUndoStack& history() const { return *m_history; }

    /// A number that one drag carries from its first change to its release: changes with the same one undo together.
    /// 0 stands for a change of its own.
    int newGesture() { return ++m_lastGesture; }

    /// Each sets what it names, or leaves the scenario as it is, emits refused() and returns the reason. Fields set
    /// together are one change.
    Result<void> setNumber(Field field, double value, int gesture = 0);
    Result<void> setNumbers(std::span<const FieldNumber> values, int gesture = 0);
    Result<void> setText(Field field, std::string_view text, int gesture = 0);
    Result<void> setTexts(std::span<const FieldText> values, int gesture = 0);

    /// Back to what stands in for the fields.
    void reset(std::span<const Field> fields);
    void reset(Field field) { reset(std::span(&field, 1)); }

    /// A model or card as a whole. The shape figures laid over the former model, or the former capacity, go with it.
    void setModel(std::optional<Architecture> model);
    void setAccelerator(std::optional<Accelerator> accelerator);

    /// Another scenario in place of this one, undoable.
    void replace(const Scenario& scenario, const QString& undoText);

    /// A document read from a file: a new history, and nothing to save.
    void open(ScenarioDocument document);

    /// Marks what there is now as saved, or as never saved.
    void setSaved();
    void setUnsaved();
    bool isModified() const;

signals:
    /// scenario() and plan() are others now.
    void changed();
    void modifiedChanged(bool modified);
    void refused(const kvplan::Error& error);

private:
    class Change;

    void push(Scenario after, const QString& text, int gesture);
    void apply(const Scenario& scenario);
    void recompute();

    ScenarioDocument m_document;
    Result<Plan> m_plan;
    Plan m_lastGood;
    std::chrono::nanoseconds m_planTime{};
    QUndoStack* m_history;
    int m_lastGesture = 0;
};

} // namespace kvplan
