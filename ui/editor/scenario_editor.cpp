// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/scenario_editor.h"

#include <QStringList>
#include <QUndoCommand>
#include <QUndoStack>

namespace kvplan {

/// One step of the history: the scenario before and after.
class ScenarioEditor::Change : public QUndoCommand {
public:
    Change(ScenarioEditor& editor, Scenario after, const QString& text, int gesture)
        : QUndoCommand(text)
        , m_editor(editor)
        , m_before(editor.scenario())
        , m_after(std::move(after))
        , m_gesture(gesture)
    {
    }

    void undo() override { m_editor.apply(m_before); }
    void redo() override { m_editor.apply(m_after); }
    int id() const override { return m_gesture == 0 ? -1 : m_gesture; }

    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* later = static_cast<const Change*>(other);
        m_after = later->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    ScenarioEditor& m_editor;
    Scenario m_before;
    Scenario m_after;
    int m_gesture;
};

namespace {

template <class Item, class FieldOf> QString namesOf(std::span<const Item> items, FieldOf fieldOf)
{
    QStringList names;
    for (const Item& item : items) {
        const std::string_view label = spec(fieldOf(item)).label;
        names << QString::fromUtf8(label.data(), static_cast<qsizetype>(label.size()));
    }
    return names.join(QStringLiteral(" and "));
}

} // namespace

ScenarioEditor::ScenarioEditor(QObject* parent)
    : QObject(parent)
    , m_plan(kvplan::plan(m_document.scenario))
    , m_history(new QUndoStack(this))
{
    if (m_plan) {
        m_lastGood = *m_plan;
    }
    connect(m_history, &QUndoStack::cleanChanged, this, [this](bool clean) { emit modifiedChanged(!clean); });
}

ScenarioEditor::~ScenarioEditor()
{
    m_history->disconnect(this);
}

Result<void> ScenarioEditor::setNumber(Field field, double value, int gesture)
{
    const FieldNumber number{field, value};
    return setNumbers(std::span(&number, 1), gesture);
}

Result<void> ScenarioEditor::setNumbers(std::span<const FieldNumber> values, int gesture)
{
    Scenario after = scenario();
    for (const FieldNumber& item : values) {
        if (auto set = kvplan::setNumber(after, item.field, item.value); !set) {
            emit refused(set.error());
            return set;
        }
    }
    push(std::move(after), namesOf(values, [](const FieldNumber& item) { return item.field; }), gesture);
    return {};
}

Result<void> ScenarioEditor::setText(Field field, std::string_view text, int gesture)
{
    const FieldText item{field, std::string(text)};
    return setTexts(std::span(&item, 1), gesture);
}

Result<void> ScenarioEditor::setTexts(std::span<const FieldText> values, int gesture)
{
    Scenario after = scenario();
    for (const FieldText& item : values) {
        if (auto set = kvplan::setText(after, item.field, item.text); !set) {
            emit refused(set.error());
            return set;
        }
    }
    push(std::move(after), namesOf(values, [](const FieldText& item) { return item.field; }), gesture);
    return {};
}

void ScenarioEditor::reset(std::span<const Field> fields)
{
    Scenario after = scenario();
    for (const Field field : fields) {
        kvplan::reset(after, field);
    }
    push(std::move(after), tr("reset of %1").arg(namesOf(fields, [](Field field) { return field; })), 0);
}

void ScenarioEditor::setModel(std::optional<Architecture> model)
{
    Scenario after = scenario();
    chooseModel(after, std::move(model));
    push(std::move(after), tr("model"), 0);
}

void ScenarioEditor::setAccelerator(std::optional<Accelerator> accelerator)
{
    Scenario after = scenario();
    chooseAccelerator(after, std::move(accelerator));
    push(std::move(after), tr("card"), 0);
}

void ScenarioEditor::replace(const Scenario& scenario, const QString& undoText)
{
    push(scenario, undoText, 0);
}

void ScenarioEditor::open(ScenarioDocument document)
{
    m_document = std::move(document);
    m_history->clear();
    m_history->setClean();
    recompute();
}

void ScenarioEditor::setSaved()
{
    m_history->setClean();
}

void ScenarioEditor::setUnsaved()
{
    m_history->resetClean();
}

bool ScenarioEditor::isModified() const
{
    return !m_history->isClean();
}

void ScenarioEditor::push(Scenario after, const QString& text, int gesture)
{
    if (after == scenario()) {
        return;
    }
    m_history->push(new Change(*this, std::move(after), text, gesture));
}

void ScenarioEditor::apply(const Scenario& scenario)
{
    m_document.scenario = scenario;
    recompute();
}

void ScenarioEditor::recompute()
{
    const auto start = std::chrono::steady_clock::now();
    m_plan = kvplan::plan(scenario());
    m_planTime = std::chrono::steady_clock::now() - start;
    if (m_plan) {
        m_lastGood = *m_plan;
    }
    emit changed();
}

} // namespace kvplan
