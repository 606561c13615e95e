// SPDX-License-Identifier: GPL-3.0-or-later
// One step of a slider: recompute the plan and redraw every visible card, on a screen of one and of two pixels a point.
#include "tests/ui/charts/two_screens.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/presenters.h"
#include "ui/editor/scenario_editor.h"
#include "ui/plan/plan_tab.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QScreen>
#include <QWindow>

using namespace kvplan;

namespace {

constexpr QSize tabAtFullHd{1588, 810}; ///< what the window leaves the tab at 1920 × 1080

void settle()
{
    for (int turn = 0; turn < 3; ++turn) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
}

/// Walks a field up by ones, so that no step shows figures that were shown before.
void sliderStep(benchmark::State& state, Field field, double from)
{
    ScenarioEditor editor;
    PlanTab tab(editor);
    tab.resize(tabAtFullHd);
    tab.setTheme(Theme{});
    QScreen* screen = QGuiApplication::screens().at(static_cast<int>(state.range(0)) - 1);
    tab.winId();
    tab.windowHandle()->setScreen(screen);
    tab.move(screen->geometry().topLeft());
    tab.show();
    settle();
    const int gesture = editor.newGesture();
    double value = from;
    for (auto _ : state) {
        value += 1;
        static_cast<void>(editor.setNumber(field, value, gesture));
        settle();
    }
    state.counters["cards"] = static_cast<double>(tab.shownCards().size());
    state.counters["ratio"] = tab.devicePixelRatioF();
}

void concurrencyStep(benchmark::State& state)
{
    sliderStep(state, Field::Concurrency, 24);
}
BENCHMARK(concurrencyStep)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

void contextStep(benchmark::State& state)
{
    sliderStep(state, Field::Context, 8192);
}
BENCHMARK(contextStep)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

void presentAll(benchmark::State& state)
{
    const Scenario scenario;
    const Plan planned = *plan(scenario);
    for (auto _ : state) {
        benchmark::DoNotOptimize(memoryWaterfall(scenario, planned));
        benchmark::DoNotOptimize(contextCurves(scenario, planned));
        benchmark::DoNotOptimize(fitMapChart(scenario, planned));
        benchmark::DoNotOptimize(capacityBars(scenario, planned));
        benchmark::DoNotOptimize(formatBars(scenario, planned));
        benchmark::DoNotOptimize(blockWaste(scenario, planned));
        benchmark::DoNotOptimize(batchingShare(scenario, planned));
        benchmark::DoNotOptimize(derivation(scenario, planned, Theme{}));
    }
}
BENCHMARK(presentAll)->Unit(benchmark::kMicrosecond);

void oneCard(benchmark::State& state, PlotData (*present)(const Scenario&, const Plan&))
{
    PlotView view;
    view.resize(356, 300);
    view.setTheme(Theme{});
    view.QWidget::show();
    Scenario scenario;
    const PlotData a = present(scenario, *plan(scenario));
    scenario.concurrency = 25;
    scenario.contextTokens = 8193;
    const PlotData b = present(scenario, *plan(scenario));
    bool up = false;
    for (auto _ : state) {
        up = !up;
        view.show(up ? b : a);
        settle();
    }
}
BENCHMARK_CAPTURE(oneCard, waterfall, memoryWaterfall)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(oneCard, context, contextCurves)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(oneCard, fitMap, fitMapChart)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(oneCard, formats, formatBars)->Unit(benchmark::kMicrosecond);

} // namespace

int main(int argc, char** argv)
{
    const TwoScreens screens;
    QApplication app(argc, argv);
    loadTypeface();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
