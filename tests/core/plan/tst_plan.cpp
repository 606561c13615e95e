// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"
#include "core/scenario/fields.h"

#include <QTest>

#include <cmath>

using namespace kvplan;

namespace {

/// A scenario from "key=value" words, as a user would give flags.
Scenario with(const char* words)
{
    Scenario scenario;
    for (const QString& word : QString(words).split(' ', Qt::SkipEmptyParts)) {
        const auto parts = word.split('=');
        const auto set = setText(scenario, findField(parts[0].toStdString())->field, parts[1].toStdString());
        if (!set) {
            qFatal("%s", set.error().sentence().c_str());
        }
    }
    return scenario;
}

constexpr qint64 gibibyte = qint64{1} << 30;

} // namespace

class TestPlan : public QObject {
    Q_OBJECT

private slots:
    void theWorkedExample()
    {
        const auto result = plan({});
        QVERIFY(result);
        QCOMPARE(result->kv.bytesPerToken, 131072.0);
        QCOMPARE(result->kv.allLayersBytesPerToken.count(), qint64{131072});
        QCOMPARE(result->kv.marginalBytesPerToken.count(), qint64{131072});
        QCOMPARE(result->kv.bytesPerSequence.count(), gibibyte);
        QCOMPARE(result->kv.rawBytes.count(), 24 * gibibyte);
        QCOMPARE(result->kv.withOverheadBytes.count(), qint64{28346784154});
        QCOMPARE(result->budget.capacity.count(), 80 * gibibyte);
        QCOMPARE(result->budget.usable.count(), 60 * gibibyte);
        QCOMPARE(result->concurrency.fullSequences, qint64{54});
        QVERIFY(std::abs(result->concurrency.worstCase - 60.0 / 1.1) < 1e-6);
        QVERIFY(result->fits);
        QCOMPARE(result->bindingLimit, Limit::Kv);
        QCOMPARE(result->accelerators, qint64{1});
        QVERIFY(!result->concurrency.meanField);
        QVERIFY(!result->concurrency.atConfidence);
    }

    void fullSequences_data()
    {
        QTest::addColumn<QString>("given");
        QTest::addColumn<qint64>("full");
        QTest::newRow("bf16") << "" << qint64{54};
        QTest::newRow("fp8: the floor comes last, so not twice 54") << "k-format=fp8 v-format=fp8" << qint64{109};
        QTest::newRow("keys fp8, values bf16") << "k-format=fp8" << qint64{72};
        QTest::newRow("half the context") << "context=4096" << qint64{109};
        QTest::newRow("MHA") << "kv-heads=32" << qint64{13};
        QTest::newRow("MQA") << "kv-heads=1" << qint64{436};
        QTest::newRow("MLA, one tensor: 36,864 bytes a token") << "mla-rank=512 mla-rope-dim=64" << qint64{193};
        QTest::newRow("MLA stays whole at TP 8") << "mla-rank=512 mla-rope-dim=64 tp=8" << qint64{193};
        QTest::newRow("two replicas: floored each") << "replicas=2" << qint64{108};
        QTest::newRow("TP 2 halves the heads, floored once") << "tp=2" << qint64{109};
        QTest::newRow("TP 8") << "tp=8" << qint64{436};
        QTest::newRow("TP 16 replicates below one head") << "tp=16" << qint64{436};
        QTest::newRow("two pipeline stages") << "pp=2" << qint64{109};
        QTest::newRow("three stages: 11 layers bind") << "pp=3" << qint64{158};
        QTest::newRow("no overhead, no headroom: 80 of 1 GiB") << "overhead-percent=0 headroom-percent=0" << qint64{80};
        QTest::newRow("weights named, so no headroom") << "weights-gib=16 overhead-percent=0" << qint64{64};
        QTest::newRow("weights split over ranks") << "weights-gib=16 tp=2 overhead-percent=0" << qint64{144};
        QTest::newRow("everything named")
            << "weights-gib=15 activation-gib=3 graphs-gib=1 other-gib=1 overhead-percent=0" << qint64{60};
        QTest::newRow("headroom beside weights")
            << "weights-gib=16 headroom-percent=10 overhead-percent=0" << qint64{56};
        QTest::newRow("a pool given outright") << "kv-pool-gib=33 weights-gib=500" << qint64{30};
        QTest::newRow("weights larger than the card") << "weights-gib=100" << qint64{0};
        QTest::newRow("window of 1,024 on all layers: 128 MiB a sequence")
            << "window=1024 overhead-percent=0" << qint64{480};
        QTest::newRow("every fourth layer full: 8 · 8,192 + 24 · 1,024 tokens")
            << "window=1024 global-every=4 overhead-percent=0" << qint64{174};
    }
    void fullSequences()
    {
        QFETCH(QString, given);
        QFETCH(qint64, full);
        const auto result = plan(with(given.toUtf8().constData()));
        QVERIFY2(result, result ? "" : result.error().sentence().c_str());
        QCOMPARE(result->concurrency.fullSequences, full);
    }

    void sixteenSequencesWithFifteenPercent()
    {
        const auto result = plan(with("concurrency=16 overhead-percent=15"));
        QVERIFY(std::abs(gib(result->kv.withOverheadBytes) - 18.4) < 1e-9);
    }

    /// B_max = ⌊(M − M_W − M_O) / (2 · S · L · d_kv · b)⌋, computed here from its letters.
    void maximumBatchByItsFormula()
    {
        for (const qint64 layers : {16, 32, 80}) {
            for (const qint64 heads : {1, 4, 8}) {
                for (const qint64 context : {512, 4096, 100000}) {
                    Scenario scenario = with("weights-gib=20 other-gib=4 overhead-percent=0 query-heads=32");
                    scenario.layers = layers;
                    scenario.kvHeads = heads;
                    scenario.contextTokens = context;
                    const qint64 expected = (80 - 20 - 4) * gibibyte / (2 * context * layers * heads * 128 * 2);
                    QCOMPARE(plan(scenario)->concurrency.fullSequences, expected);
                }
            }
        }
    }

    void aSharedPrefixIsPaidOnceATenant_data()
    {
        QTest::addColumn<QString>("given");
        QTest::addColumn<qint64>("full");
        // 60 GiB hold 491,520 tokens of 128 KiB; sequences of 2,560 share 2,048.
        QTest::newRow("not shared") << "" << qint64{192};
        QTest::newRow("one tenant: (491,520 − 2,048) / 512") << "shared-prefix=2048" << qint64{956};
        QTest::newRow("ten tenants: (491,520 − 20,480) / 512") << "shared-prefix=2048 prefix-groups=10" << qint64{920};
        QTest::newRow("more tenants than fit share nothing") << "shared-prefix=2048 prefix-groups=5000" << qint64{192};
        QTest::newRow("only whole blocks: 2,047 are 2,032") << "shared-prefix=2047" << qint64{927};
    }
    void aSharedPrefixIsPaidOnceATenant()
    {
        QFETCH(QString, given);
        QFETCH(qint64, full);
        const auto result
            = plan(with(("context=2560 overhead-percent=0 max-sequences=10000 " + given).toUtf8().constData()));
        QCOMPARE(result->concurrency.fullSequences, full);
    }

    void fitsAndItsLimit_data()
    {
        QTest::addColumn<QString>("given");
        QTest::addColumn<bool>("fits");
        QTest::addColumn<Limit>("limit");
        QTest::newRow("exactly as many as fit") << "concurrency=54" << true << Limit::Kv;
        QTest::newRow("one more") << "concurrency=55" << false << Limit::Kv;
        QTest::newRow("the cap admits exactly these") << "max-sequences=24" << true << Limit::Sequences;
        QTest::newRow("one more than the cap") << "max-sequences=23" << false << Limit::Sequences;
        QTest::newRow("weights fill the card") << "weights-gib=80" << false << Limit::Weights;
        QTest::newRow("replicas share the ask") << "concurrency=108 replicas=2" << true << Limit::Kv;
        QTest::newRow("and no more") << "concurrency=109 replicas=2" << false << Limit::Kv;
    }
    void fitsAndItsLimit()
    {
        QFETCH(QString, given);
        QFETCH(bool, fits);
        QFETCH(Limit, limit);
        const auto result = plan(with(given.toUtf8().constData()));
        QCOMPARE(result->fits, fits);
        QCOMPARE(result->bindingLimit, limit);
    }

    void aRecurrentModelIsBoundByItsState()
    {
        Scenario scenario;
        Architecture model;
        model.name = "mostly state";
        model.layers = 4;
        model.groups = {{3, RecurrentState{1000000, 1000, 4, 2}}, {1, FullAttention{1, 64, 64}}};
        scenario.model = model;
        scenario.maxSequences = 100000;
        const auto result = plan(scenario);
        QCOMPARE(result->bindingLimit, Limit::State);
        QCOMPARE(result->kv.stateBytesPerSequence.count(), qint64{3} * (4000000 + 2000));
        QCOMPARE(result->kv.bytesPerToken, 256.0);
        QCOMPARE(result->kv.bytesPerSequence.count(), qint64{3} * 4002000 + 8192 * 256);
    }

    void theBudgetAddsUp_data()
    {
        QTest::addColumn<QString>("given");
        QTest::newRow("unknown weights") << "";
        QTest::newRow("named weights") << "weights-gib=15 activation-gib=2.5 other-gib=0.25 headroom-percent=3";
        QTest::newRow("weights that do not fit") << "weights-gib=150";
        QTest::newRow("counted from parameters") << "parameters-b=8.03";
        QTest::newRow("a given pool") << "kv-pool-gib=40";
    }
    void theBudgetAddsUp()
    {
        QFETCH(QString, given);
        const auto result = plan(with(given.toUtf8().constData()));
        Bytes left = result->budget.lines.front().bytes;
        QCOMPARE(left, result->budget.capacity);
        for (std::size_t i = 1; i < result->budget.lines.size(); ++i) {
            const BudgetLine& line = result->budget.lines[i];
            left -= line.bytes;
            QVERIFY(line.low <= line.bytes && line.bytes <= line.high);
            QVERIFY(!line.formula.empty());
        }
        QCOMPARE(left, result->budget.usable);
    }

    void parametersAreTwoBytesEachUnlessAFormatIsGiven()
    {
        QCOMPARE(plan(with("parameters-b=8"))->budget.lines[1].bytes.count(), qint64{16000000000});
        QCOMPARE(plan(with("parameters-b=8 weight-format=fp8"))->budget.lines[1].bytes.count(), qint64{8000000000});
        QCOMPARE(plan(with("parameters-b=8 tp=4"))->budget.lines[1].bytes.count(), qint64{4000000000});
    }

    void wasteIsNamed()
    {
        const auto result = plan(with("context=1000 tp=16"));
        QCOMPARE(result->paging.blocksPerSequence.count(), qint64{63});
        QCOMPARE(result->paging.tailTokensPerSequence.count(), qint64{8});
        QCOMPARE(result->paging.blockBytes.count(), qint64{16} * 8192 * 2);
        const auto waste = [&](std::string_view name) -> qint64 {
            for (const Waste& line : result->paging.waste) {
                if (line.name == name) {
                    return line.bytes.count();
                }
            }
            return -1;
        };
        QCOMPARE(waste("block tails"), qint64{24} * 8 * 16384);
        // Each rank holds one head where half a head would do.
        QCOMPARE(waste("replication"), qint64{24} * 1000 * 8192);
        QCOMPARE(plan({})->paging.waste[1].bytes.count(), qint64{0});
    }

    void overflowIsAnErrorNeverAWrappedNumber()
    {
        Scenario scenario;
        scenario.contextTokens = 100'000'000;
        scenario.concurrency = 1'000'000;
        scenario.layers = 512;
        scenario.kvHeads = scenario.queryHeads = 1024;
        scenario.headDim = 1024;
        const auto result = plan(scenario);
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Overflow);
    }

    void tenMillionTokensTimesTenThousandSequencesTimesAThousandLayers()
    {
        Scenario scenario = with("context=10000000 concurrency=10000");
        QVERIFY(!setText(scenario, Field::Layers, "1000"));
        // The largest shape the ranges allow there is still exact.
        scenario.layers = 512;
        QCOMPARE(plan(scenario)->kv.rawBytes.count(), qint64{10000000} * 10000 * 512 * 4096);
    }

    void contradictionsAreRefused_data()
    {
        QTest::addColumn<QString>("given");
        QTest::newRow("more stages than layers") << "layers=4 pp=8";
        QTest::newRow("dcp that does not divide tp") << "tp=8 dcp=3";
        QTest::newRow("dcp beyond the copies of a head") << "tp=8 dcp=2";
        QTest::newRow("KV heads that do not divide") << "kv-heads=7";
    }
    void contradictionsAreRefused()
    {
        QFETCH(QString, given);
        const auto result = plan(with(given.toUtf8().constData()));
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Inconsistent);
        QVERIFY(!result.error().mend.empty());
    }

    void decodeContextParallelSplitsALatent()
    {
        const auto whole = plan(with("mla-rank=512 tp=8"));
        const auto split = plan(with("mla-rank=512 tp=8 dcp=8"));
        QCOMPARE(split->kv.bytesPerSequencePerGpu.count() * 8, whole->kv.bytesPerSequencePerGpu.count());
        QCOMPARE(split->kv.bytesPerSequence, whole->kv.bytesPerSequence);
    }

    void aMixAddsTwoCapacities()
    {
        const auto result = plan(with("prompt=fixed:1000 output=fixed:101 overhead-percent=0"));
        // Tokens cached at decode step j of 100 are 1,000 + j: mean 1,050.5; 60 GiB hold 491,520.
        QVERIFY(result->concurrency.meanResidentTokens);
        QVERIFY(std::abs(*result->concurrency.meanResidentTokens - 1050.5) < 1e-6);
        QVERIFY(std::abs(*result->concurrency.meanField - 491520.0 / 1050.5) < 0.01);
        QVERIFY(*result->concurrency.atConfidence <= static_cast<qint64>(*result->concurrency.meanField));
        QVERIFY(*result->concurrency.atConfidence >= 491520 / 1100);
    }

    void moreNeverFitsBetter()
    {
        double before = 1e18;
        for (qint64 context = 1; context < 200000; context = context * 3 + 1) {
            Scenario scenario;
            scenario.contextTokens = context;
            const double now = plan(scenario)->concurrency.worstCase;
            QVERIFY(now < before);
            before = now;
        }
    }
};

QTEST_APPLESS_MAIN(TestPlan)
#include "tst_plan.moc"
