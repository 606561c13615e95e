// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/scenario_panel.h"

#include "ui/editor/scenario_editor.h"
#include "ui/panel/bundled_catalogue.h"
#include "ui/panel/choice_row.h"
#include "ui/panel/fold.h"
#include "ui/panel/format_row.h"
#include "ui/panel/lengths_row.h"
#include "ui/panel/mixes.h"
#include "ui/panel/number_row.h"
#include "ui/panel/picker.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace kvplan {

namespace {

constexpr int sideMargin = 16;

template <class Items> QStringList namesOf(const Items& items)
{
    QStringList names;
    for (const auto& item : items) {
        names << QString::fromStdString(item.name);
    }
    return names;
}

} // namespace

ScenarioPanel::ScenarioPanel(ScenarioEditor& editor, QWidget* parent)
    : QScrollArea(parent)
    , m_editor(editor)
{
    setFixedWidth(panelWidth);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Scenario"));

    auto* content = new QWidget(this);
    content->setFixedWidth(panelWidth - sideMargin + 4);
    m_layout = new QVBoxLayout(content);
    m_layout->setContentsMargins(sideMargin, 14, 4, 16);
    m_layout->setSpacing(2);
    buildModel();
    buildCache();
    buildAccelerator();
    buildParallelism();
    buildEngine();
    buildWorkload();
    m_layout->addStretch(1);
    setWidget(content);
    setBackgroundRole(QPalette::Base);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);

    connect(&editor, &ScenarioEditor::changed, this, &ScenarioPanel::refresh);
    refresh();
}

void ScenarioPanel::openAllFolds()
{
    for (Fold* fold : widget()->findChildren<Fold*>()) {
        fold->setOpen(true);
    }
}

void ScenarioPanel::reveal(Field field)
{
    if (rowOf(field) == nullptr) {
        const auto section = std::ranges::find_if(m_sections, [&](const Section& candidate) {
            return std::ranges::find(candidate.fields, field) != candidate.fields.end();
        });
        if (section != m_sections.end()) {
            section->fold->setOpen(true);
        }
    }
    FieldRow* row = rowOf(field);
    if (row == nullptr) {
        return;
    }
    for (QWidget* around = row; around != widget(); around = around->parentWidget()) {
        if (auto* fold = qobject_cast<Fold*>(around)) {
            fold->setOpen(true);
        }
    }
    widget()->layout()->activate();
    ensureWidgetVisible(row, 0, 40);
    row->setFocus(Qt::ShortcutFocusReason);
}

FieldRow* ScenarioPanel::rowOf(Field field) const
{
    const auto row = std::ranges::find_if(m_rows, [&](const FieldRow* candidate) {
        return std::ranges::find(candidate->fields(), field) != candidate->fields().end();
    });
    return row == m_rows.end() ? nullptr : *row;
}

Fold* ScenarioPanel::addGroup(const QString& title, std::function<QString()> summary)
{
    auto* fold = new Fold(title, Fold::Kind::Group, widget());
    m_layout->addWidget(fold);
    m_sections.push_back({fold, std::move(summary), {}});
    return fold;
}

void ScenarioPanel::addDetail(Fold& group, const QString& title, std::vector<Field> fields, Builder build)
{
    auto* fold = new Fold(title, Fold::Kind::Detail, &group);
    group.body().addWidget(fold);
    fold->setOpen(false);
    m_sections.push_back({fold, [this, fields] { return givenSummary(m_editor.scenario(), fields); }, fields});
    connect(fold, &Fold::toggled, this, [this, fold, build = std::move(build), built = false](bool open) mutable {
        if (open && !built) {
            built = true;
            build(fold->body());
        }
        refresh();
    });
}

FieldRow* ScenarioPanel::addRow(QVBoxLayout& layout, Field field)
{
    QWidget* parent = layout.parentWidget();
    FieldRow* row = nullptr;
    switch (spec(field).kind) {
    case FieldKind::Integer:
    case FieldKind::Real:
        row = new NumberRow(field, m_editor, parent);
        break;
    case FieldKind::Distribution:
        row = new LengthsRow(field, m_editor, parent);
        break;
    case FieldKind::Choice:
        if (field == Field::KeyFormat || field == Field::ValueFormat) {
            row = new FormatRow(fieldLabel(field), {field}, m_editor, parent);
        } else {
            row = new ChoiceRow(field, m_editor, parent);
        }
        break;
    }
    layout.addWidget(row);
    m_rows.push_back(row);
    return row;
}

void ScenarioPanel::addRows(QVBoxLayout& layout, const std::vector<Field>& fields)
{
    for (const Field field : fields) {
        addRow(layout, field);
    }
}

Picker* ScenarioPanel::addPicker(QVBoxLayout& layout, const QString& label, Picker* picker)
{
    auto* line = new QHBoxLayout;
    line->setSpacing(6);
    line->setContentsMargins(0, 0, 0, 4);
    auto* name = new QLabel(label);
    name->setFixedWidth(rowLabelWidth);
    name->setBuddy(picker);
    picker->setAccessibleName(label);
    picker->setFixedHeight(rowBoxHeight);
    line->addWidget(name);
    line->addWidget(picker, 1);
    layout.addLayout(line);
    return picker;
}

void ScenarioPanel::buildModel()
{
    Fold* group = addGroup(tr("Model"), [this] {
        const Architecture& model = m_editor.lastGoodPlan().architecture;
        return m_editor.scenario().model ? QString::fromStdString(model.name)
                                         : QString::fromStdString(attentionName(model));
    });
    m_model = addPicker(group->body(), tr("Model"),
        new Picker(
            tr("Custom shape"), tr("Open config.json…"),
            [] { return bundledCatalogue() ? namesOf(bundledCatalogue()->models()) : QStringList(); }, group));
    m_model->setObjectName(QStringLiteral("model"));
    connect(m_model, &Picker::nonePicked, this, [this] { m_editor.setModel(std::nullopt); });
    connect(m_model, &Picker::otherPicked, this, &ScenarioPanel::openModelRequested);
    connect(m_model, &Picker::picked, this, &ScenarioPanel::pickModel);

    addRows(group->body(), {Field::Layers, Field::QueryHeads});
    m_kvHeads = static_cast<NumberRow*>(addRow(group->body(), Field::KvHeads));
    addRow(group->body(), Field::HeadDim);

    const std::vector<Field> rare{Field::ValueHeadDim, Field::Window, Field::GlobalEvery, Field::MlaRank,
        Field::MlaRopeDim, Field::ParametersB, Field::ActiveParametersB};
    addDetail(*group, tr("Window, latent, parameters"), rare, [this, rare](QVBoxLayout& body) { addRows(body, rare); });
}

void ScenarioPanel::buildCache()
{
    Fold* group = addGroup(tr("Cache"), [this] {
        const Scenario& scenario = m_editor.scenario();
        return tr("%1 · %2 × %3")
            .arg(QString::fromStdString(text(scenario, Field::KeyFormat)),
                shownNumber(spec(Field::Concurrency), effective(scenario, Field::Concurrency)),
                shownNumber(spec(Field::Context), effective(scenario, Field::Context)));
    });
    auto* format = new FormatRow(tr("Precision"), {Field::KeyFormat, Field::ValueFormat}, m_editor, group);
    format->setObjectName(QStringLiteral("kv-format"));
    group->body().addWidget(format);
    m_rows.push_back(format);
    addRows(group->body(), {Field::Context, Field::Concurrency, Field::BlockSize});

    const std::vector<Field> rare{
        Field::KeyFormat, Field::ValueFormat, Field::SharedPrefix, Field::PrefixGroups, Field::MaxModelLen};
    addDetail(
        *group, tr("K and V apart, prefix, length"), rare, [this, rare](QVBoxLayout& body) { addRows(body, rare); });
}

void ScenarioPanel::buildAccelerator()
{
    Fold* group = addGroup(tr("Accelerator"), [this] {
        return tr("%1 GiB, %2 % free")
            .arg(shownNumber(spec(Field::CapacityGib), effective(m_editor.scenario(), Field::CapacityGib)),
                shownNumber(spec(Field::HeadroomPercent), effective(m_editor.scenario(), Field::HeadroomPercent)));
    });
    m_card = addPicker(group->body(), tr("Card"),
        new Picker(
            tr("Custom card"), {},
            [] { return bundledCatalogue() ? namesOf(bundledCatalogue()->accelerators()) : QStringList(); }, group));
    m_card->setObjectName(QStringLiteral("accelerator"));
    connect(m_card, &Picker::nonePicked, this, [this] { m_editor.setAccelerator(std::nullopt); });
    connect(m_card, &Picker::picked, this, &ScenarioPanel::pickAccelerator);
    addRows(group->body(), {Field::CapacityGib, Field::HeadroomPercent, Field::OverheadPercent});
}

void ScenarioPanel::buildParallelism()
{
    const std::vector<Field> rare{Field::PipelineParallel, Field::DecodeContextParallel, Field::Replicas};
    Fold* group = addGroup(tr("Parallelism"), [this] {
        return tr("%1 accelerators")
            .arg(QLocale::c().toString(static_cast<qlonglong>(m_editor.lastGoodPlan().accelerators)));
    });
    addRow(group->body(), Field::TensorParallel);
    addDetail(
        *group, tr("Pipeline, context, replicas"), rare, [this, rare](QVBoxLayout& body) { addRows(body, rare); });
}

void ScenarioPanel::buildEngine()
{
    const std::vector<Field> rare{Field::WeightFormat, Field::WeightsGib, Field::ActivationGib, Field::GraphsGib,
        Field::OtherGib, Field::KvPoolGib, Field::MaxBatchedTokens, Field::MaxSequences};
    Fold* group = addGroup(
        tr("Engine"), [this] { return QString::fromStdString(text(m_editor.scenario(), Field::EngineName)); });
    addRow(group->body(), Field::EngineName);
    addDetail(*group, tr("Weights, budget, caps"), rare, [this, rare](QVBoxLayout& body) { addRows(body, rare); });
}

void ScenarioPanel::buildWorkload()
{
    const std::vector<Field> rare{Field::Prompt, Field::Output, Field::Confidence};
    Fold* group = addGroup(tr("Workload"), [this] { return mixName(m_editor.scenario()); });
    m_mix = addPicker(group->body(), tr("Mix"),
        new Picker(
            tr("None"), {},
            [] {
                QStringList names;
                for (const MixPreset& preset : mixPresets()) {
                    names << tr(preset.name);
                }
                return names;
            },
            group));
    m_mix->setObjectName(QStringLiteral("mix"));
    connect(m_mix, &Picker::nonePicked, this, [this] {
        m_editor.reset(std::vector<Field>{Field::Prompt, Field::Output});
    });
    connect(m_mix, &Picker::picked, this, &ScenarioPanel::pickMix);
    addDetail(*group, tr("Lengths, confidence"), rare, [this, rare](QVBoxLayout& body) { addRows(body, rare); });
}

void ScenarioPanel::refresh()
{
    const Scenario& scenario = m_editor.scenario();
    const Architecture& model = m_editor.lastGoodPlan().architecture;
    for (FieldRow* row : m_rows) {
        row->refresh();
    }
    for (const Section& section : m_sections) {
        section.fold->setSummary(section.summary());
    }

    const bool edited = scenario.model
        && !givenSummary(scenario,
            {Field::Layers, Field::QueryHeads, Field::KvHeads, Field::HeadDim, Field::ValueHeadDim, Field::Window,
                Field::MlaRank})
                .isEmpty();
    m_model->display(!scenario.model ? tr("Custom shape")
            : edited                 ? tr("%1, edited").arg(QString::fromStdString(scenario.model->name))
                                     : QString::fromStdString(scenario.model->name));
    m_card->display(scenario.accelerator ? QString::fromStdString(scenario.accelerator->name) : tr("Custom card"));
    m_mix->display(mixName(scenario));

    const QString attention = QString::fromStdString(attentionName(model));
    m_kvHeads->setNote(QStringLiteral("· ") + attention.section(QStringLiteral(" + "), 0, 0));
}

void ScenarioPanel::pickModel(const QString& name)
{
    const auto found = bundledCatalogue().and_then(
        [&](const Catalogue& catalogue) { return catalogue.findModel(name.toStdString()); });
    if (found) {
        m_editor.setModel(*found);
    } else {
        emit failed(found.error());
    }
    refresh();
}

void ScenarioPanel::pickAccelerator(const QString& name)
{
    const auto found = bundledCatalogue().and_then(
        [&](const Catalogue& catalogue) { return catalogue.findAccelerator(name.toStdString()); });
    if (found) {
        m_editor.setAccelerator(*found);
    } else {
        emit failed(found.error());
    }
    refresh();
}

void ScenarioPanel::pickMix(const QString& name)
{
    const auto presets = mixPresets();
    const auto* const end = presets.data() + presets.size();
    const auto* const found = std::find_if(presets.data(), end,
        [&](const MixPreset& preset) { return name.compare(tr(preset.name), Qt::CaseInsensitive) == 0; });
    if (found != end) {
        static_cast<void>(
            m_editor.setTexts(std::vector<FieldText>{{Field::Prompt, found->prompt}, {Field::Output, found->output}}));
    } else {
        emit failed(Error{ErrorCode::NotFound, "\"" + name.toStdString() + "\" is not a mix of the list", "Mix",
            "choose one, or type lengths under \"Lengths, confidence\""});
    }
    refresh();
}

} // namespace kvplan
