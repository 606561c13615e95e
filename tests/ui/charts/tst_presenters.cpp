// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_csv.h"
#include "ui/charts/presenters.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace kvplan;

namespace {

Plan planOf(const Scenario& scenario)
{
    return *plan(scenario);
}

const PlotBar* barNamed(const PlotData& data, const QString& label)
{
    const auto found = std::ranges::find(data.bars, label, &PlotBar::label);
    return found == data.bars.end() ? nullptr : &*found;
}

const PlotSeries* seriesNamed(const PlotData& data, const QString& name)
{
    const auto found
        = std::ranges::find_if(data.series, [&](const PlotSeries& series) { return series.name.startsWith(name); });
    return found == data.series.end() ? nullptr : &*found;
}

double valueAtX(const PlotSeries& series, double x)
{
    const auto found = std::ranges::find_if(series.points, [&](QPointF p) { return std::abs(p.x() - x) < 1e-6 * x; });
    return found == series.points.end() ? NAN : found->y();
}

Scenario withMix()
{
    Scenario scenario;
    scenario.prompt = *LengthDistribution::parse("fixed:1000");
    scenario.output = *LengthDistribution::parse("fixed:201");
    return scenario;
}

} // namespace

class TestPresenters : public QObject {
    Q_OBJECT

private slots:
    void waterfallOfTheWorkedExample()
    {
        const Scenario scenario;
        const PlotData data = memoryWaterfall(scenario, planOf(scenario));
        QVERIFY(data.title.endsWith(u'?'));
        QCOMPARE(barNamed(data, QStringLiteral("80.0"))->top, 80.0);
        const PlotBar* headroom = barNamed(data, QStringLiteral("−20.0"));
        QCOMPARE(headroom->bottom, 60.0);
        QCOMPARE(headroom->top, 80.0);
        const PlotBar* live = barNamed(data, QStringLiteral("live 24.0"));
        const PlotBar* overhead = barNamed(data, QStringLiteral("overhead 2.4"));
        const PlotBar* free = barNamed(data, QStringLiteral("free 33.6"));
        QVERIFY(live != nullptr && overhead != nullptr && free != nullptr);
        QCOMPARE(live->bottom, 0.0);
        QCOMPARE(live->top, 24.0);
        QCOMPARE(overhead->bottom, live->top);
        QVERIFY(std::abs(overhead->top - 26.4) < 1e-8);
        QCOMPARE(free->bottom, overhead->top);
        QCOMPARE(free->top, 60.0);
        QVERIFY(barNamed(data, QStringLiteral("60.0")) != nullptr);
        QCOMPARE(data.x.ticks.back().text, QStringLiteral("pool"));
    }

    void waterfallStepsCloseExactly()
    {
        Scenario scenario;
        scenario.weightsGib = 15;
        scenario.activationGib = 4.8;
        scenario.graphsGib = 0.8;
        const Plan planned = planOf(scenario);
        const PlotData data = memoryWaterfall(scenario, planned);
        double left = gib(planned.budget.capacity);
        for (std::size_t i = 1; i < planned.budget.lines.size(); ++i) {
            QVERIFY(std::abs(data.bars[i].top - left) < 1e-9);
            left = data.bars[i].bottom;
        }
        QVERIFY(std::abs(left - gib(planned.budget.usable)) < 1e-9);
    }

    void negativeRemainderIsTheLimitAndSaysWhatToChange()
    {
        Scenario scenario;
        scenario.weightsGib = 140;
        const PlotData data = memoryWaterfall(scenario, planOf(scenario));
        const auto negative = std::ranges::find(data.bars, Role::Limit, &PlotBar::role);
        QVERIFY(negative != data.bars.end());
        QCOMPARE(negative->bottom, -60.0);
        QVERIFY(data.y.low <= -60);
        QVERIFY(data.footnote.contains(QStringLiteral("60.0 GiB")));
    }

    void anAskBeyondThePoolIsMarked()
    {
        Scenario scenario;
        scenario.concurrency = 60;
        const PlotData data = memoryWaterfall(scenario, planOf(scenario));
        const auto mark = std::ranges::find(data.lines, QStringLiteral("asked 66.0"), &PlotLine::label);
        QVERIFY(mark != data.lines.end());
        QCOMPARE(mark->role, Role::Limit);
        QVERIFY(std::abs(mark->at - 66) < 1e-6);
        QVERIFY(data.y.high > 66);
    }

    void contextCurvesMeetTheWorkedExample()
    {
        const Scenario scenario;
        const Plan planned = planOf(scenario);
        const PlotData data = contextCurves(scenario, planned);
        const auto own = std::ranges::find(data.series, true, &PlotSeries::strong);
        QVERIFY(own != data.series.end());
        QVERIFY(own->name.startsWith(QStringLiteral("GQA 4:1")));
        // 60 GiB / (1 GiB · 1.1)
        QVERIFY(std::abs(valueAtX(*own, 8192) - 60 / 1.1) < 1e-6);
        QVERIFY(std::abs(valueAtX(*own, 4096) - 120 / 1.1) < 1e-6);
        const PlotSeries* mha = seriesNamed(data, QStringLiteral("MHA"));
        const PlotSeries* mqa = seriesNamed(data, QStringLiteral("MQA"));
        QVERIFY(mha != nullptr && mqa != nullptr);
        QVERIFY(std::abs(valueAtX(*mha, 8192) - 15 / 1.1) < 1e-6);
        QVERIFY(std::abs(valueAtX(*mqa, 8192) - 480 / 1.1) < 1e-6);
        QCOMPARE(data.point->at, QPointF(8192, 24));
        QVERIFY(data.point->draggable);
        QVERIFY(std::ranges::any_of(data.lines, [](const PlotLine& line) { return line.label.startsWith(u"ridge"); }));
        QVERIFY(std::ranges::any_of(
            data.lines, [](const PlotLine& line) { return line.at == 1 && line.label == u"one sequence"; }));
    }

    void seriesDifferInMoreThanColour()
    {
        const Scenario scenario;
        const PlotData data = contextCurves(scenario, planOf(scenario));
        for (const PlotSeries& a : data.series) {
            for (const PlotSeries& b : data.series) {
                QVERIFY(&a == &b || a.dash != b.dash || a.markers != b.markers);
            }
        }
    }

    void formatsFallInCostAndMarkTheOneInUse()
    {
        const Scenario scenario;
        const PlotData data = formatBars(scenario, planOf(scenario));
        QVERIFY(std::ranges::is_sorted(data.bars, std::greater(), &PlotBar::right));
        const auto own = std::ranges::find(data.bars, true, &PlotBar::strong);
        QCOMPARE(own->right, 128.0); // KiB: 2 · 32 · 8 · 128 · 2 B
        QVERIFY(own->label.endsWith(QStringLiteral("54")));
        QCOMPARE(own->role, Role::Cache);
        QCOMPARE(data.y.ticks.size(), data.bars.size());
    }

    void blockTailsStayUnderTheBound()
    {
        Scenario scenario;
        scenario.contextTokens = 8200; // 8 tokens into a block of 16
        const PlotData data = blockWaste(scenario, planOf(scenario));
        const PlotSeries* bound = seriesNamed(data, QStringLiteral("bound"));
        const PlotSeries* own = seriesNamed(data, QStringLiteral("8,200"));
        QVERIFY(bound != nullptr && own != nullptr);
        for (std::size_t i = 0; i < own->points.size(); ++i) {
            QVERIFY(own->points[i].y() <= bound->points[i].y());
        }
        QCOMPARE(valueAtX(*bound, 16), 15.0);
        QCOMPARE(valueAtX(*own, 16), 8.0);
        QCOMPARE(data.point->at, QPointF(16, 8));
    }

    void staticBatchIsOneOverTheHarmonicNumber()
    {
        const Scenario scenario;
        const PlotData data = batchingShare(scenario, planOf(scenario));
        const PlotSeries* share = seriesNamed(data, QStringLiteral("1/H_B"));
        for (const auto& [batch, value] : {std::pair(8.0, 0.368), {32.0, 0.246}, {128.0, 0.184}}) {
            QVERIFY(std::abs(valueAtX(*share, batch) - value) < 5e-4);
            QVERIFY(std::ranges::any_of(
                data.texts, [v = value](const PlotText& text) { return text.text == QString::number(v, 'f', 3); }));
        }
        QCOMPARE(seriesNamed(data, QStringLiteral("continuous"))->points.back().y(), 1.0);
    }

    void littleHyperbolasHoldTheirProduct()
    {
        const Scenario scenario;
        const PlotData data = littlePlane(scenario, planOf(scenario), 20);
        QVERIFY(std::abs(data.point->at.x() - 1.2) < 1e-12);
        QCOMPARE(data.point->at.y(), 20.0);
        for (const auto& [name, product] : {std::pair("B = 24", 24.0), {"B max 54", 54.0}}) {
            const PlotSeries* curve = seriesNamed(data, QString::fromLatin1(name));
            QVERIFY(curve != nullptr);
            for (const QPointF& at : curve->points) {
                QVERIFY(std::abs(at.x() * at.y() / product - 1) < 1e-9);
            }
        }
        QVERIFY(!littlePlane(scenario, planOf(scenario), -1).message.isEmpty());
    }

    void fitMapsBoundaryPartsTheCells()
    {
        const Scenario scenario;
        const PlotData data = fitMapChart(scenario, planOf(scenario));
        const PlotHeat& heat = *data.heat;
        QCOMPARE(heat.values.size(), heat.columns * heat.rows);
        const auto at = [&](std::size_t column, std::size_t row) { return heat.values[row * heat.columns + column]; };
        QVERIFY(at(0, 0) < 1);
        QVERIFY(at(heat.columns - 1, heat.rows - 1) > 1);
        for (std::size_t column = 1; column < heat.columns; ++column) {
            QVERIFY(at(column, 3) >= at(column - 1, 3));
        }
        QVERIFY(data.footnote.contains(QStringLiteral("44 %")));
        QCOMPARE(data.point->at, QPointF(8192, 24));
    }

    void capacitiesAskForAMixOrShowThree()
    {
        const Scenario plain;
        const PlotData one = capacityBars(plain, planOf(plain));
        QCOMPARE(one.bars.size(), std::size_t{1});
        QCOMPARE(one.bars.front().label, QStringLiteral("54"));
        QCOMPARE(std::ranges::count_if(
                     one.texts, [](const PlotText& text) { return text.text.contains(QStringLiteral("request mix")); }),
            2);
        const Scenario mixed = withMix();
        const Plan planned = planOf(mixed);
        const PlotData three = capacityBars(mixed, planned);
        QCOMPARE(three.bars.size(), std::size_t{3});
        QCOMPARE(three.bars[1].right, static_cast<double>(*planned.concurrency.atConfidence));
        QCOMPARE(three.bars[2].right, std::floor(*planned.concurrency.meanField));
        QVERIFY(three.bars[0].right < three.bars[1].right);
    }

    void everyChartIsAQuestionWithItsConditions()
    {
        const Scenario scenario = withMix();
        const Plan planned = planOf(scenario);
        for (const PlotData& data : {memoryWaterfall(scenario, planned), contextCurves(scenario, planned),
                 formatBars(scenario, planned), blockWaste(scenario, planned), batchingShare(scenario, planned),
                 littlePlane(scenario, planned, 20), fitMapChart(scenario, planned), capacityBars(scenario, planned)}) {
            QVERIFY2(data.title.contains(u'?'), qPrintable(data.title));
            QVERIFY(!data.subtitle.isEmpty());
            QVERIFY(!data.summary.isEmpty());
            QVERIFY(data.x.high > data.x.low);
            QVERIFY(data.y.high > data.y.low);
        }
    }

    void derivationHasTheFiguresAndItsLinks()
    {
        const Scenario scenario;
        const QString html = derivation(scenario, planOf(scenario), Theme{});
        for (const char* figure : {"131,072 B", "1.00 GiB", "24.0 GiB", "26.4 GiB", "60.0 GiB", ">54<"}) {
            QVERIFY2(html.contains(QString::fromLatin1(figure)), figure);
        }
        for (const char* key : {"layers", "kv-heads", "head-dim", "k-format", "context", "concurrency",
                 "overhead-percent", "capacity-gib", "headroom-percent"}) {
            QVERIFY2(html.contains(QStringLiteral("href=\"%1\"").arg(QString::fromLatin1(key))), key);
        }
    }

    void factsExplainAPicture()
    {
        Scenario scenario;
        scenario.tensorParallel = 2;
        const QString facts = factsLine(scenario, planOf(scenario));
        for (const char* fact :
            {"GQA 4:1", "32 layers", "bf16 cache", "24 sequences of 8,192 tokens", "TP 2", "block 16"}) {
            QVERIFY2(facts.contains(QString::fromLatin1(fact)), fact);
        }
    }

    void csvHasEveryFigure()
    {
        const Scenario scenario;
        const QString bars = plotCsv(memoryWaterfall(scenario, planOf(scenario)));
        QVERIFY(bars.contains(QStringLiteral("live 24.0")));
        const PlotData map = fitMapChart(scenario, planOf(scenario));
        const auto lines = plotCsv(map).count(u'\n');
        QVERIFY(lines >= static_cast<qsizetype>(map.heat->values.size()));
        PlotData quoted;
        quoted.series.push_back({QStringLiteral("a, \"b\""), Role::Cache, Dash::Solid, false, false, {{1, 2}}});
        QVERIFY(plotCsv(quoted).contains(QStringLiteral("\"a, \"\"b\"\"\",1,2")));
    }
};

QTEST_MAIN(TestPresenters)
#include "tst_presenters.moc"
