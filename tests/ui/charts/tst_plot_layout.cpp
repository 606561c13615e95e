// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/label_room.h"
#include "ui/charts/plot_labels.h"
#include "ui/charts/plot_layout.h"
#include "ui/charts/presenters.h"

#include <QTest>

#include <algorithm>
#include <array>

using namespace kvplan;

namespace {

struct Chart {
    const char* name;
    PlotData (*present)(const Scenario&, const Plan&);
};
constexpr std::array<Chart, 8> charts{{{"waterfall", memoryWaterfall}, {"context", contextCurves},
    {"fit map", fitMapChart}, {"capacities", capacityBars}, {"formats", formatBars}, {"blocks", blockWaste},
    {"batching", batchingShare}, {"Little", [](const Scenario& s, const Plan& p) { return littlePlane(s, p, 20); }}}};

struct Case {
    const char* name;
    Scenario scenario;
};

Scenario withMix()
{
    Scenario scenario;
    scenario.prompt = *LengthDistribution::parse("lognormal:1155,3500");
    scenario.output = *LengthDistribution::parse("exponential:211");
    return scenario;
}

std::vector<Case> cases()
{
    Scenario huge;
    huge.contextTokens = 10'000'000;
    huge.concurrency = 99'999;
    Scenario weights;
    weights.weightsGib = 15;
    weights.activationGib = 4.8;
    weights.graphsGib = 0.8;
    weights.otherGib = 0.4;
    weights.headroomPercent = 8;
    Scenario nothingFits;
    nothingFits.weightsGib = 140;
    Scenario replicas;
    replicas.replicas = 64;
    replicas.tensorParallel = 8;
    replicas.concurrency = 1;
    return {{"worked example", {}}, {"request mix", withMix()}, {"ten million tokens", huge}, {"all lines", weights},
        {"not even weights fit", nothingFits}, {"512 accelerators", replicas}};
}

} // namespace

class TestPlotLayout : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { loadTypeface(); }

    void wordsKeepTheirPlace_data()
    {
        QTest::addColumn<int>("chart");
        QTest::addColumn<int>("scenario");
        QTest::addColumn<QSize>("size");
        const auto all = cases();
        for (std::size_t chart = 0; chart < charts.size(); ++chart) {
            for (std::size_t scenario = 0; scenario < all.size(); ++scenario) {
                for (const QSize size : {QSize(430, 175), QSize(356, 300), QSize(560, 480)}) {
                    QTest::addRow("%s, %s, %dx%d", charts[chart].name, all[scenario].name, size.width(), size.height())
                        << static_cast<int>(chart) << static_cast<int>(scenario) << size;
                }
            }
        }
    }
    void wordsKeepTheirPlace()
    {
        QFETCH(int, chart);
        QFETCH(int, scenario);
        QFETCH(QSize, size);
        const Scenario input = cases()[static_cast<std::size_t>(scenario)].scenario;
        const auto planned = plan(input);
        QVERIFY(planned);
        const PlotData data = charts[static_cast<std::size_t>(chart)].present(input, *planned);
        const Theme theme;
        const PlotLayout layout = layOut(data, size, theme);
        const auto labels = placeLabels(data, layout, size, theme);
        QVERIFY(!labels.empty());
        const QRectF surface = QRectF(QPointF(), QSizeF(size)).adjusted(-0.5, -0.5, 0.5, 0.5);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            QVERIFY2(surface.contains(labels[i].box), qPrintable(labels[i].text));
            QVERIFY2(!labels[i].text.endsWith(QChar(0x2026)), qPrintable(labels[i].text));
            for (std::size_t j = i + 1; j < labels.size(); ++j) {
                // Lines of words may touch; their letters do not.
                const QRectF common
                    = labels[i].box.adjusted(0, 2, 0, -2).intersected(labels[j].box.adjusted(0, 2, 0, -2));
                QVERIFY2(common.isEmpty(), qPrintable(labels[i].text + QStringLiteral(" | ") + labels[j].text));
            }
        }
    }

    void pixelsAndValuesAreInverse()
    {
        PlotData data;
        data.x = {{}, AxisScale::Logarithmic, 1024, 131072, {}};
        data.y = {{}, AxisScale::Linear, -10, 90, {}};
        const PlotLayout layout = layOut(data, QSizeF(400, 300), Theme{});
        for (const QPointF at : {QPointF(1024, -10), QPointF(8192, 24), QPointF(131072, 90)}) {
            const QPointF back = layout.value(data, layout.pixel(data, at));
            QVERIFY(std::abs(back.x() / at.x() - 1) < 1e-9);
            QVERIFY(std::abs(back.y() - at.y()) < 1e-9);
        }
        QCOMPARE(layout.pixel(data, {1024, -10}), layout.axes.bottomLeft());
    }

    void namesAreSpreadInOrder_data()
    {
        QTest::addColumn<QList<double>>("wanted");
        QTest::newRow("apart already") << QList<double>{10, 50, 90};
        QTest::newRow("all at one place") << QList<double>{50, 50, 50, 50};
        QTest::newRow("at the lower end") << QList<double>{99, 100, 98};
        QTest::newRow("unsorted") << QList<double>{60, 20, 58, 21};
    }
    void namesAreSpreadInOrder()
    {
        QFETCH(QList<double>, wanted);
        const std::vector<double> before(wanted.begin(), wanted.end());
        const auto placed = spread(before, 14, 0, 100);
        for (std::size_t i = 0; i < placed.size(); ++i) {
            QVERIFY(placed[i] >= 0 && placed[i] <= 100);
            for (std::size_t j = 0; j < placed.size(); ++j) {
                QVERIFY(i == j || std::abs(placed[i] - placed[j]) >= 14 - 1e-9);
                QVERIFY(before[i] >= before[j] || placed[i] < placed[j]);
            }
        }
        QCOMPARE(spread({10, 50, 90}, 14, 0, 100), (std::vector<double>{10, 50, 90}));
    }

    void barsAreNeitherTooThickNorUnseen()
    {
        PlotData data;
        data.x.high = 2;
        data.y.high = 100;
        const PlotLayout layout = layOut(data, QSizeF(800, 300), Theme{});
        PlotBar bar;
        bar.right = 2;
        bar.top = 0.001;
        const QRectF box = layout.barBox(data, bar);
        QVERIFY(box.width() <= 90);
        QVERIFY(box.height() >= 1);
        QCOMPARE(box.left(), std::round(box.left()));
    }

    void linesInABox()
    {
        const QRectF box(0, 0, 10, 10);
        QCOMPARE(lengthInside(QLineF(-5, 5, 15, 5), box), 10.0);
        QCOMPARE(lengthInside(QLineF(2, 2, 2, 6), box), 4.0);
        QCOMPARE(lengthInside(QLineF(-5, -1, 15, -1), box), 0.0);
        QCOMPARE(lengthInside(QLineF(-10, 0, 0, 10), box), 0.0);
        QVERIFY(std::abs(lengthInside(QLineF(0, 0, 10, 10), box) - std::sqrt(200.0)) < 1e-9);
    }

    void wordsStandWhereTheyCoverLeast()
    {
        LabelRoom room;
        room.bounds = QRectF(0, 0, 200, 200);
        const auto places = placesAround({100, 100}, 8, {40, 12});
        QCOMPARE(room.best(places), places.front());
        room.lines = {QLineF(0, 100, 95, 100)};
        QCOMPARE(room.best(places), places[1]);
        room.taken = {places[1]};
        QCOMPARE(room.best(places), places[2]);
        const auto corner = placesAround({1, 1}, 8, {40, 12});
        QVERIFY(room.bounds.contains(room.best(corner)));
    }

    void longWordsBreakOnce()
    {
        const QFont font = Theme{}.tick();
        const QString name = QStringLiteral("GQA 8:1 + sliding 1,024 bf16");
        QCOMPARE(inLines(name, font, 500, 500), QStringList{name});
        const QStringList two = inLines(name, font, 100, 200);
        QCOMPARE(two.size(), 2);
        QCOMPARE(two.join(QLatin1Char(' ')), name);
        QVERIFY(inLines(QStringLiteral("unbreakable_name"), font, 20, 30).front().endsWith(QChar(0x2026)));
    }
};

QTEST_MAIN(TestPlotLayout)
#include "tst_plot_layout.moc"
