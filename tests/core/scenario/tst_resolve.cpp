// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.h"

#include <QTest>

#include <numeric>

using namespace kvplan;

namespace {

Architecture gemmaLike()
{
    Architecture model;
    model.name = "5 sliding, 1 full";
    model.layers = 12;
    model.queryHeads = 32;
    model.groups = {{10, SlidingAttention{16, 256, 256, Tokens(1024)}}, {2, FullAttention{16, 256, 256}}};
    model.order = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1};
    return model;
}

Architecture latent()
{
    Architecture model;
    model.name = "latent";
    model.layers = 61;
    model.queryHeads = 128;
    model.groups = {{61, LatentAttention{512, 64, 0}}};
    model.order.assign(61, 0);
    return model;
}

qint64 countOf(const Architecture& architecture)
{
    return std::accumulate(architecture.groups.begin(), architecture.groups.end(), qint64{0},
        [](qint64 sum, const AttentionGroup& group) { return sum + group.layers; });
}

} // namespace

class TestResolve : public QObject {
    Q_OBJECT

private slots:
    void nothingGivenIsTheUniformDecoder()
    {
        const auto architecture = resolveArchitecture({});
        QVERIFY(architecture);
        QCOMPARE(architecture->layers, qint64{32});
        QCOMPARE(architecture->queryHeads, qint64{32});
        QCOMPARE(architecture->groups.size(), std::size_t{1});
        QVERIFY(architecture->groups[0].kind == AttentionKind(FullAttention{8, 128, 128}));
    }

    void everyShapeFigureReachesTheArchitecture()
    {
        Scenario scenario;
        scenario.layers = 48;
        scenario.queryHeads = 24;
        scenario.kvHeads = 4;
        scenario.headDim = 96;
        scenario.valueHeadDim = 64;
        const auto architecture = resolveArchitecture(scenario);
        QVERIFY(architecture);
        QCOMPARE(architecture->layers, qint64{48});
        QCOMPARE(architecture->order.size(), std::size_t{48});
        QVERIFY(architecture->groups[0] == (AttentionGroup{48, FullAttention{4, 96, 64}}));
    }

    void everyNthLayerIsFull_data()
    {
        QTest::addColumn<qint64>("globalEvery");
        QTest::addColumn<qint64>("full");
        QTest::newRow("none") << qint64{0} << qint64{0};
        QTest::newRow("every sixth of 32") << qint64{6} << qint64{5};
        QTest::newRow("every second") << qint64{2} << qint64{16};
        QTest::newRow("every one") << qint64{1} << qint64{32};
    }
    void everyNthLayerIsFull()
    {
        QFETCH(qint64, globalEvery);
        QFETCH(qint64, full);
        Scenario scenario;
        scenario.windowTokens = 1024;
        scenario.globalEvery = globalEvery;
        const auto architecture = resolveArchitecture(scenario);
        QVERIFY(architecture);
        qint64 seen = 0;
        for (const AttentionGroup& group : architecture->groups) {
            seen += std::holds_alternative<FullAttention>(group.kind) ? group.layers : 0;
        }
        QCOMPARE(seen, full);
        QCOMPARE(countOf(*architecture), qint64{32});
        for (std::size_t layer = 0; layer < architecture->order.size(); ++layer) {
            const auto& group = architecture->groups[static_cast<std::size_t>(architecture->order[layer])];
            const bool expected = globalEvery > 0 && (static_cast<qint64>(layer) + 1) % globalEvery == 0;
            QCOMPARE(std::holds_alternative<FullAttention>(group.kind), expected);
        }
    }

    void aModelsPatternIsRepeatedWhenLayersAreGiven()
    {
        Scenario scenario;
        scenario.model = gemmaLike();
        scenario.layers = 15;
        const auto architecture = resolveArchitecture(scenario);
        QVERIFY(architecture);
        QCOMPARE(architecture->groups[0].layers, qint64{13});
        QCOMPARE(architecture->groups[1].layers, qint64{2});
    }

    void theWindowOfASlidingModelMovesAlone()
    {
        Scenario scenario;
        scenario.model = gemmaLike();
        scenario.windowTokens = 4096;
        const auto architecture = resolveArchitecture(scenario);
        QVERIFY(architecture);
        QCOMPARE(std::get<SlidingAttention>(architecture->groups[0].kind).window.count(), qint64{4096});
        QCOMPARE(architecture->groups[1].layers, qint64{2});
        scenario.windowTokens = 0;
        const auto without = resolveArchitecture(scenario);
        QVERIFY(without);
        QVERIFY(without->groups[0] == (AttentionGroup{12, FullAttention{16, 256, 256}}));
    }

    void aLatentRankReplacesTheHeads()
    {
        Scenario scenario;
        scenario.mlaRank = 512;
        scenario.mlaRopeDim = 64;
        const auto architecture = resolveArchitecture(scenario);
        QVERIFY(architecture);
        QVERIFY(architecture->groups[0] == (AttentionGroup{32, LatentAttention{512, 64, 0}}));
    }

    void contradictionsNameBothFacts_data()
    {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<Scenario>("scenario");
        Scenario heads;
        heads.kvHeads = 5;
        QTest::newRow("KV heads that do not divide the query heads") << "5 KV heads"
                                                                     << "32 query heads" << heads;
        Scenario more;
        more.kvHeads = 64;
        QTest::newRow("more KV heads than query heads") << "64 KV heads"
                                                        << "32 query heads" << more;
        Scenario noHeads;
        noHeads.model = latent();
        noHeads.kvHeads = 8;
        QTest::newRow("KV heads on a latent") << "kv-heads"
                                              << "no heads" << noHeads;
        Scenario width;
        width.keyFormat = CacheFormat::Q4_0;
        width.headDim = 80;
        QTest::newRow("a width the format cannot pack") << "q4_0"
                                                        << "80" << width;
        Scenario global;
        global.globalEvery = 4;
        QTest::newRow("full layers without a window") << "global-every"
                                                      << "window" << global;
        Scenario rope;
        rope.mlaRopeDim = 64;
        QTest::newRow("a rope width without a rank") << "mla-rope-dim"
                                                     << "mla-rank" << rope;
    }
    void contradictionsNameBothFacts()
    {
        QFETCH(QString, first);
        QFETCH(QString, second);
        QFETCH(Scenario, scenario);
        const auto architecture = resolveArchitecture(scenario);
        QVERIFY(!architecture);
        const QString what = QString::fromStdString(architecture.error().what);
        QVERIFY2(what.contains(first), qPrintable(what));
        QVERIFY2(what.contains(second), qPrintable(what));
        QVERIFY(!architecture.error().mend.empty());
    }
};

QTEST_APPLESS_MAIN(TestResolve)
#include "tst_resolve.moc"
