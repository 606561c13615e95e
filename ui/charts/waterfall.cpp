// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words.h"
#include "core/report/columns.h"
#include "ui/charts/numbers.h"
#include "ui/charts/presenters.h"

#include <algorithm>

namespace kvplan {

namespace {

constexpr double barHalf = 0.33;

Role roleOf(const BudgetLine& line)
{
    if (line.basis == Basis::Estimated) {
        return Role::Estimate;
    }
    return line.name == "weights" ? Role::TakenDeep : Role::Taken;
}

PlotBar bar(double column, double from, double to, Role role)
{
    PlotBar result;
    result.left = column - barHalf;
    result.right = column + barHalf;
    result.bottom = std::min(from, to);
    result.top = std::max(from, to);
    result.role = role;
    return result;
}

/// The pool's inside, from the bottom: live cache, its overhead, what is free.
void addPool(PlotData& data, const Plan& plan, double column)
{
    const double pool = gib(plan.budget.usable);
    struct Part {
        QString name;
        double size;
        Role role;
    };
    const double live = gib(plan.paging.liveBytes);
    const double held = gib(plan.paging.liveWithOverhead);
    const std::vector<Part> parts{{QStringLiteral("live"), std::min(live, pool), Role::CacheDeep},
        {QStringLiteral("overhead"), std::clamp(held, 0.0, pool) - std::min(live, pool), Role::Series4},
        {QStringLiteral("free"), std::max(0.0, pool - held), Role::Cache}};
    double from = 0;
    for (const Part& part : parts) {
        if (part.size <= 0) {
            continue;
        }
        PlotBar piece = bar(column, from, from + part.size, part.role);
        piece.label = QStringLiteral("%1 %2").arg(part.name, QString::number(part.size, 'f', 1));
        piece.place = part.size > 0.075 * data.y.high ? PlotBar::LabelPlace::Inside : PlotBar::LabelPlace::Right;
        data.bars.push_back(piece);
        from += part.size;
    }
    PlotBar top = bar(column, pool, pool, Role::Cache);
    top.label = gibNumber(plan.budget.usable);
    top.place = PlotBar::LabelPlace::Above;
    top.strong = true;
    data.bars.push_back(top);
}

/// A dotted step from one bar's end to the next bar's beginning.
void addStep(PlotData& data, double column, double level)
{
    data.lines.push_back(
        {Qt::Horizontal, level, Role::TakenDeep, Dash::Dotted, {}, PlotSpan{column - 1, column}, true});
}

/// How far an estimate may be off, as a whisker over its bar's end.
void addBand(PlotData& data, const BudgetLine& line, double column, double from)
{
    if (line.high > line.low) {
        const double sign = from > 0 ? -1 : 1;
        data.lines.push_back({Qt::Vertical, column, Role::Text, Dash::Solid, {},
            PlotSpan{from + sign * gib(line.low), from + sign * gib(line.high)}});
    }
}

QString poolNote(const Plan& plan)
{
    QString note;
    for (const Waste& waste : plan.paging.waste) {
        if (waste.bytes.count() > 0) {
            note += (note.isEmpty() ? QStringLiteral("in the pool: ") : QStringLiteral(" · "))
                + QString::fromStdString(waste.name + " " + bytesText(waste.bytes));
        }
    }
    return note;
}

} // namespace

PlotData memoryWaterfall(const Scenario& scenario, const Plan& plan)
{
    PlotData data;
    data.title = QStringLiteral("Where does the memory go?");
    data.subtitle = plan.accelerators > 1
        ? QStringLiteral("GiB on the tightest of %1 accelerators").arg(plan.accelerators)
        : QStringLiteral("GiB on the accelerator");
    const auto estimate = std::ranges::find(plan.budget.lines, Basis::Estimated, &BudgetLine::basis);
    if (estimate != plan.budget.lines.end()) {
        data.subtitle
            += QStringLiteral(" · %1 estimated, %2 to %3")
                   .arg(QString::fromStdString(estimate->name), gibNumber(estimate->low), gibNumber(estimate->high));
    }
    const double held = gib(plan.paging.liveWithOverhead);
    const double capacity = gib(plan.budget.capacity);
    const double pool = gib(plan.budget.usable);
    data.y.low = std::min(0.0, pool * 1.15);
    data.y.high = std::max({capacity, pool, std::min(held, 2 * capacity)}) * 1.12;
    data.y.ticks = linearTicks(data.y.high);
    for (double step = data.y.ticks.at(1).at, at = -step; at > data.y.low; at -= step) {
        data.y.ticks.push_back({at, QStringLiteral("−") + tickText(-at)});
    }
    data.x.grid = false;
    data.x.categories = true;
    data.x.low = -0.6;

    double column = 0;
    double left = capacity;
    for (const BudgetLine& line : plan.budget.lines) {
        const bool first = column == 0;
        const double size = gib(line.bytes);
        PlotBar piece = first ? bar(column, 0, size, roleOf(line)) : bar(column, left, left - size, roleOf(line));
        if (first) {
            piece.role = Role::Taken; // an estimate of the whole shows as a whisker
        }
        piece.label = first ? gibNumber(line.bytes) : QStringLiteral("−%1").arg(gibNumber(line.bytes));
        piece.place = PlotBar::LabelPlace::Above;
        piece.strong = true;
        data.bars.push_back(piece);
        data.x.ticks.push_back({column, QString::fromStdString(line.name)});
        if (!first) {
            addStep(data, column, left);
            addBand(data, line, column, left);
            left -= size;
        } else {
            addBand(data, line, column, 0);
        }
        column += 1;
    }
    data.x.ticks.push_back({column, QStringLiteral("pool")});
    data.x.high = column + 0.9;
    addStep(data, column, left);
    if (plan.budget.usable.count() > 0) {
        addPool(data, plan, column);
        data.footnote = poolNote(plan);
        if (held > pool) {
            data.lines.push_back({Qt::Horizontal, std::min(held, data.y.high), Role::Limit, Dash::Solid,
                QStringLiteral("asked %1%2")
                    .arg(
                        gibNumber(plan.paging.liveWithOverhead), held > data.y.high ? QStringLiteral(" ↑") : QString()),
                PlotSpan{column - 0.5, column + 0.5}});
        }
    } else {
        PlotBar negative = bar(column, 0, pool, Role::Limit);
        data.bars.push_back(negative);
        data.texts.push_back({QPointF(column, 0), QStringLiteral("−%1").arg(gibNumber(Bytes(0) - plan.budget.usable)),
            Role::Limit, Qt::AlignHCenter | Qt::AlignBottom, true});
        data.footnote = plan.advice.empty()
            ? QStringLiteral("free %1 more").arg(QString::fromStdString(gibText(Bytes(0) - plan.budget.usable)))
            : QStringLiteral("over by %1: %2 would make room for %3")
                  .arg(QString::fromStdString(gibText(Bytes(0) - plan.budget.usable)),
                      QString::fromStdString(plan.advice.front().change),
                      significant(static_cast<double>(plan.advice.front().fullSequences)));
    }
    data.summary = QStringLiteral("%1 capacity, %2 left for the cache; %3")
                       .arg(QString::fromStdString(gibText(plan.budget.capacity)),
                           QString::fromStdString(gibText(plan.budget.usable)), QString::fromStdString(plan.verdict));
    static_cast<void>(scenario);
    return data;
}

} // namespace kvplan
