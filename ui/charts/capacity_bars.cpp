// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/numbers.h"
#include "ui/charts/presenters.h"

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

struct Capacity {
    QString name;
    QString condition;
    std::optional<double> sequences;
    Role role;
};

} // namespace

PlotData capacityBars(const Scenario& scenario, const Plan& plan)
{
    PlotData data;
    data.title = QStringLiteral("Three answers to “how many?”");
    data.subtitle = QStringLiteral("sequences at once, over all replicas");
    const QString mix = scenario.prompt && scenario.output
        ? QStringLiteral("%1 + %2").arg(
            QString::fromStdString(scenario.prompt->text()), QString::fromStdString(scenario.output->text()))
        : QString();
    const auto atConfidence = plan.concurrency.atConfidence
        ? std::optional<double>(static_cast<double>(*plan.concurrency.atConfidence))
        : std::nullopt;
    const std::vector<Capacity> capacities{
        {QStringLiteral("Worst case"),
            QStringLiteral("%1 tokens each").arg(significant(static_cast<double>(scenario.contextTokens))),
            std::floor(plan.concurrency.worstCase), Role::Cache},
        {QStringLiteral("Confident, %1 %").arg(significant(scenario.confidence * 100)),
            mix.isEmpty() ? QString()
                          : QStringLiteral("overflow ≤ %1 %").arg(significant((1 - scenario.confidence) * 100)),
            atConfidence, Role::Fits},
        {QStringLiteral("Mean field"),
            plan.concurrency.meanResidentTokens
                ? QStringLiteral("%1 tokens held on average")
                      .arg(significant(std::round(*plan.concurrency.meanResidentTokens)))
                : QString(),
            plan.concurrency.meanField ? std::optional(std::floor(*plan.concurrency.meanField)) : std::nullopt,
            Role::Series4},
    };
    double most = std::max(1.0, static_cast<double>(scenario.concurrency));
    for (const Capacity& capacity : capacities) {
        most = std::max(most, capacity.sequences.value_or(0));
    }
    const auto asked = static_cast<double>(scenario.concurrency);
    data.barsGrow = BarsGrow::Right;
    data.x.high = most * 1.2;
    data.x.grid = false;
    data.y.low = -0.5;
    data.y.high = 2.8;
    data.y.grid = false;
    for (std::size_t i = 0; i < capacities.size(); ++i) {
        const Capacity& capacity = capacities[i];
        const double row = 2 - static_cast<double>(i);
        data.texts.push_back(
            {QPointF(0, row + 0.5), capacity.name, Role::Text, Qt::AlignLeft | Qt::AlignVCenter, true});
        if (!capacity.condition.isEmpty()) {
            data.texts.push_back({QPointF(data.x.high, row + 0.5), capacity.condition, Role::QuietText,
                Qt::AlignRight | Qt::AlignVCenter, false});
        }
        if (!capacity.sequences) {
            data.texts.push_back(
                {QPointF(0, row + 0.12), QStringLiteral("give a request mix: prompt and output lengths"),
                    Role::QuietText, Qt::AlignLeft | Qt::AlignVCenter, false});
            continue;
        }
        PlotBar bar;
        bar.right = *capacity.sequences;
        bar.bottom = row - 0.08;
        bar.top = row + 0.28;
        bar.role = capacity.role;
        bar.label = significant(*capacity.sequences);
        bar.place = PlotBar::LabelPlace::Right;
        bar.strong = true;
        data.bars.push_back(bar);
        data.lines.push_back({Qt::Vertical, asked, Role::Limit, Dash::Solid, {}, PlotSpan{row - 0.14, row + 0.34}});
    }
    data.texts.push_back({QPointF(asked, -0.2), QStringLiteral("▲ asked %1").arg(significant(asked)), Role::Limit,
        (asked < 0.5 * most ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop, true});
    data.footnote = mix.isEmpty() ? QString() : QStringLiteral("mix: ") + mix;
    for (const Capacity& capacity : capacities) {
        data.summary
            += QStringLiteral("%1: %2. ")
                   .arg(capacity.name,
                       capacity.sequences ? significant(*capacity.sequences) : QStringLiteral("needs a request mix"));
    }
    data.summary += QStringLiteral("Asked: %1.").arg(significant(asked));
    return data;
}

} // namespace kvplan
