// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_tab.h"

#include "ui/charts/chart_card.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/presenters.h"
#include "ui/editor/scenario_editor.h"
#include "ui/plan/card_grid.h"
#include "ui/plan/chip_row.h"
#include "ui/plan/derivation_view.h"
#include "ui/plan/little_controls.h"

#include <QResizeEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace kvplan {

namespace {

/// What carrying a chart's point changes.
enum class Carries { Nothing, ContextAndSequences, RateAndTime };

struct ChartEntry {
    const char* chip;
    PlotData (*present)(const Scenario&, const Plan&); ///< null: the card has a body of its own
    int span; ///< columns where there are three or more
    Carries carries;
};

enum : int { derivationCard = 4, littleCard = 7 };

constexpr std::array<ChartEntry, 9> charts{{
    {QT_TRANSLATE_NOOP("PlanTab", "Memory"), memoryWaterfall, 2, Carries::Nothing},
    {QT_TRANSLATE_NOOP("PlanTab", "Context"), contextCurves, 1, Carries::ContextAndSequences},
    {QT_TRANSLATE_NOOP("PlanTab", "Edge"), fitMapChart, 1, Carries::ContextAndSequences},
    {QT_TRANSLATE_NOOP("PlanTab", "How many"), capacityBars, 1, Carries::Nothing},
    {QT_TRANSLATE_NOOP("PlanTab", "Derivation"), nullptr, 1, Carries::Nothing},
    {QT_TRANSLATE_NOOP("PlanTab", "Formats"), formatBars, 1, Carries::Nothing},
    {QT_TRANSLATE_NOOP("PlanTab", "Blocks"), blockWaste, 1, Carries::Nothing},
    {QT_TRANSLATE_NOOP("PlanTab", "Little"), nullptr, 1, Carries::RateAndTime},
    {QT_TRANSLATE_NOOP("PlanTab", "Batching"), batchingShare, 1, Carries::Nothing},
}};

} // namespace

PlanTab::PlanTab(ScenarioEditor& editor, QWidget* parent)
    : QWidget(parent)
    , m_editor(editor)
{
    QStringList names;
    for (const ChartEntry& chart : charts) {
        names << tr(chart.chip);
        m_chosen.push_back(static_cast<int>(m_chosen.size()));
    }
    m_chips = new ChipRow(names, this);
    buildCards();
    connect(m_chips, &ChipRow::toggled, this, &PlanTab::toggle);
    connect(&m_editor, &ScenarioEditor::changed, this, &PlanTab::refresh);
}

void PlanTab::buildCards()
{
    for (int index = 0; index < static_cast<int>(charts.size()); ++index) {
        auto* card = new ChartCard(this);
        card->setVisible(false);
        connect(card, &ChartCard::failed, this, &PlanTab::failed);
        m_cards.push_back(card);
        if (index == derivationCard) {
            continue;
        }
        connect(&card->plot(), &PlotView::pointMoved, this, [this, index](QPointF value) { carry(index, value); });
        connect(&card->plot(), &PlotView::pointReleased, this, &PlanTab::release);
    }
    m_derivation = new DerivationView;
    m_derivation->setAccessibleName(tr("Derivation"));
    m_cards[derivationCard]->setBody(m_derivation);
    connect(m_derivation, &DerivationView::linkActivated, this, [this](const QString& key) {
        if (const FieldSpec* field = findField(key.toStdString())) {
            emit factorActivated(field->field);
        }
    });
    m_little = new LittleControls;
    m_cards[littleCard]->setControls(m_little);
    connect(m_little, &LittleControls::timeChanged, this, [this] { refreshCard(littleCard); });
}

void PlanTab::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_chips->setTheme(theme);
    for (ChartCard* card : m_cards) {
        card->setTheme(theme);
    }
    m_derivation->setTheme(theme);
    arrange();
    refresh();
}

std::vector<ChartCard*> PlanTab::shownCards() const
{
    std::vector<ChartCard*> cards;
    for (const int index : m_shown) {
        cards.push_back(m_cards[static_cast<std::size_t>(index)]);
    }
    return cards;
}

void PlanTab::toggle(int card, bool checked)
{
    // A card asked for comes into view: it takes the place of the last one shown.
    std::erase(m_chosen, card);
    if (checked) {
        const auto at = m_shown.empty() ? m_chosen.begin() : std::ranges::find(m_chosen, m_shown.back());
        m_chosen.insert(at, card);
    } else if (m_chosen.empty()) {
        m_chosen.push_back(card);
    }
    arrange();
    refresh();
}

void PlanTab::arrange()
{
    if (width() < 50) {
        return;
    }
    m_chips->setGeometry(0, 0, width(), m_chips->sizeHint().height());
    const int top = m_chips->height() + cardGutter - 2;
    const QSize surface(width(), height() - top);
    int cells = 0;
    for (const int card : m_chosen) {
        cells += charts[static_cast<std::size_t>(card)].span;
    }
    const GridShape shape = gridFor(surface, cells);
    std::vector<int> spans;
    for (const int card : m_chosen) {
        spans.push_back(shape.columns >= 3 ? charts[static_cast<std::size_t>(card)].span : 1);
    }
    const std::vector<QRect> places = placeCards(surface, shape, spans);
    m_shown.assign(m_chosen.begin(), m_chosen.begin() + static_cast<std::ptrdiff_t>(places.size()));
    for (int card = 0; card < cardCount(); ++card) {
        const auto shown = std::ranges::find(m_shown, card);
        const bool visible = shown != m_shown.end();
        if (visible) {
            this->card(card).setGeometry(places[static_cast<std::size_t>(shown - m_shown.begin())].translated(0, top));
        }
        this->card(card).setVisible(visible);
        m_chips->setChecked(card, visible);
    }
}

void PlanTab::refresh()
{
    for (const int card : m_shown) {
        refreshCard(card);
    }
}

void PlanTab::refreshCard(int index)
{
    const Scenario& scenario = m_editor.scenario();
    const Plan& plan = m_editor.lastGoodPlan();
    ChartCard& chart = card(index);
    chart.setStale(!m_editor.plan());
    if (!m_editor.plan()) {
        return; // the last good picture stays, dimmed; the verdict band says why
    }
    chart.setFacts(factsLine(scenario, plan));
    if (index == derivationCard) {
        chart.setHead(tr("How is it derived?"), tr("every factor leads to its control"));
        m_derivation->setHtml(derivation(scenario, plan, m_theme));
    } else if (index == littleCard) {
        m_little->setInSystem(static_cast<double>(scenario.concurrency));
        chart.show(littlePlane(scenario, plan, m_little->timeSeconds()));
    } else {
        chart.show(charts[static_cast<std::size_t>(index)].present(scenario, plan));
    }
}

void PlanTab::carry(int index, QPointF value)
{
    if (m_gesture == 0) {
        m_gesture = m_editor.newGesture();
    }
    const auto sequences = [](double number) { return std::max(1.0, std::round(number)); };
    switch (charts[static_cast<std::size_t>(index)].carries) {
    case Carries::ContextAndSequences: {
        const std::array<FieldNumber, 2> values{
            {{Field::Context, std::max(1.0, std::round(value.x()))}, {Field::Concurrency, sequences(value.y())}}};
        static_cast<void>(m_editor.setNumbers(values, m_gesture));
        break;
    }
    case Carries::RateAndTime:
        m_little->setTime(value.y());
        static_cast<void>(m_editor.setNumber(Field::Concurrency, sequences(value.x() * value.y()), m_gesture));
        break;
    case Carries::Nothing:
        break;
    }
}

void PlanTab::release()
{
    m_gesture = 0;
}

void PlanTab::resizeEvent(QResizeEvent*)
{
    arrange();
    refresh();
}

} // namespace kvplan
