// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/curves.h"
#include "core/scenario/fields.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace kvplan;

namespace {

/// A scenario from "key=value" words, as a user would give flags.
Scenario with(const QString& words)
{
    Scenario scenario;
    for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) {
        const auto parts = word.split('=');
        const auto set = setText(scenario, findField(parts[0].toStdString())->field, parts[1].toStdString());
        if (!set) {
            qFatal("%s", set.error().sentence().c_str());
        }
    }
    return scenario;
}

Plan planOf(const Scenario& scenario)
{
    const auto result = plan(scenario);
    if (!result) {
        qFatal("%s", result.error().sentence().c_str());
    }
    return *result;
}

bool near(double a, double b)
{
    return a == b || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

const Curve* labelled(const std::vector<Curve>& curves, const std::string& label)
{
    const auto found = std::ranges::find(curves, label, &Curve::label);
    return found == curves.end() ? nullptr : &*found;
}

/// Scenarios in which the cache does not simply grow with the context.
void addScenarios()
{
    QTest::addColumn<QString>("given");
    QTest::newRow("the worked example") << "";
    QTest::newRow("a context between the powers of two") << "context=5000";
    QTest::newRow("fp8") << "k-format=fp8 v-format=fp8";
    QTest::newRow("two formats") << "k-format=q8_0 v-format=q4_0";
    QTest::newRow("sliding windows") << "window=1024 global-every=6";
    QTest::newRow("windows alone") << "window=1000";
    QTest::newRow("one latent") << "mla-rank=512 mla-rope-dim=64";
    QTest::newRow("one latent on eight ranks") << "mla-rank=512 mla-rope-dim=64 tp=8";
    QTest::newRow("tensor parallel") << "tp=4";
    QTest::newRow("tensor parallel beyond the heads") << "tp=16";
    QTest::newRow("pipeline stages of windows") << "window=1024 global-every=6 pp=3";
    QTest::newRow("decode-context parallel") << "kv-heads=1 tp=4 dcp=4";
    QTest::newRow("replicas") << "replicas=3";
    QTest::newRow("a shared prefix") << "shared-prefix=2000 prefix-groups=3";
    QTest::newRow("weights named") << "weights-gib=20 other-gib=2";
    QTest::newRow("a given pool") << "kv-pool-gib=17";
}

} // namespace

class TestCurves : public QObject {
    Q_OBJECT

private slots:
    void theChosenCurveIsThePlanAtEveryContext_data() { addScenarios(); }
    void theChosenCurveIsThePlanAtEveryContext()
    {
        QFETCH(QString, given);
        Scenario scenario = with(given);
        const std::vector<Curve> curves = concurrencyAgainstContext(scenario, planOf(scenario));
        QVERIFY(curves.front().chosen);
        QCOMPARE(std::ranges::count(curves, true, &Curve::chosen), 1);
        bool own = false;
        const std::int64_t context = scenario.contextTokens;
        double before = 0;
        for (const CurvePoint& point : curves.front().points) {
            QVERIFY(point.x > before);
            before = point.x;
            own = own || point.x == static_cast<double>(context);
            scenario.contextTokens = static_cast<std::int64_t>(point.x);
            const double planned = planOf(scenario).concurrency.worstCase;
            QVERIFY2(near(point.y, planned),
                qPrintable(QString("%1: %2, planned %3").arg(point.x).arg(point.y).arg(planned)));
        }
        QVERIFY(own);
        QVERIFY(curves.front().points.size() >= 12);
    }

    void theOtherCurvesAreThePlansOfTheirChange()
    {
        Scenario scenario;
        const std::vector<Curve> curves = concurrencyAgainstContext(scenario, planOf(scenario));
        const auto agrees = [](const Curve* curve, Scenario changed) {
            return curve != nullptr && std::ranges::all_of(curve->points, [&](const CurvePoint& point) {
                changed.contextTokens = static_cast<std::int64_t>(point.x);
                return near(point.y, planOf(changed).concurrency.worstCase);
            });
        };
        QCOMPARE(curves.size(), std::size_t{4});
        QVERIFY(agrees(labelled(curves, "GQA 4:1 bf16"), with("")));
        QVERIFY(agrees(labelled(curves, "MHA bf16"), with("kv-heads=32")));
        QVERIFY(agrees(labelled(curves, "MQA bf16"), with("kv-heads=1")));
        QVERIFY(agrees(labelled(curves, "GQA 4:1 fp8"), with("k-format=fp8 v-format=fp8")));
    }

    void curvesThatWouldRepeatOrHaveNoSenseAreLeftOut()
    {
        const auto labels = [](const QString& given) {
            const Scenario scenario = with(given);
            QStringList all;
            for (const Curve& curve : concurrencyAgainstContext(scenario, planOf(scenario))) {
                all << QString::fromStdString(curve.label);
            }
            return all;
        };
        QCOMPARE(labels("kv-heads=32"), (QStringList{"MHA bf16", "MQA bf16", "MHA fp8"}));
        QCOMPARE(labels("kv-heads=1"), (QStringList{"MQA bf16", "MHA bf16", "MQA fp8"}));
        QCOMPARE(labels("mla-rank=512"), (QStringList{"MLA bf16", "MLA fp8"}));
        QCOMPARE(labels("k-format=fp8 v-format=fp8"), (QStringList{"GQA 4:1 fp8", "MHA fp8", "MQA fp8"}));
        QCOMPARE(
            labels("k-format=fp8"), (QStringList{"GQA 4:1 fp8/bf16", "MHA fp8/bf16", "MQA fp8/bf16", "GQA 4:1 fp8"}));
    }

    void formatsAreThePlansInEach_data() { addScenarios(); }
    void formatsAreThePlansInEach()
    {
        QFETCH(QString, given);
        const Scenario scenario = with(given);
        const std::vector<FormatCost> costs = costByFormat(scenario, planOf(scenario));
        std::size_t possible = 0;
        for (const CacheFormatInfo& format : cacheFormats()) {
            Scenario changed = scenario;
            changed.keyFormat = changed.valueFormat = format.format;
            const auto planned = plan(changed);
            const auto cost = std::ranges::find(costs, format.format, &FormatCost::format);
            QCOMPARE(planned.has_value(), cost != costs.end());
            if (planned) {
                ++possible;
                QCOMPARE(cost->bytesPerToken, planned->kv.bytesPerToken);
                QCOMPARE(cost->fullSequences, planned->concurrency.fullSequences);
                QCOMPARE(cost->chosen, changed == scenario);
            }
        }
        QCOMPARE(costs.size(), possible);
        QVERIFY(possible >= 6);
    }

    void formatsThatCannotHoldTheRowsAreLeftOut()
    {
        const Scenario scenario = with("head-dim=80");
        const auto costs = costByFormat(scenario, planOf(scenario));
        QVERIFY(std::ranges::find(costs, CacheFormat::Q4_0, &FormatCost::format) == costs.end());
        QVERIFY(std::ranges::find(costs, CacheFormat::Nvfp4, &FormatCost::format) != costs.end());
        QVERIFY(std::ranges::find(costs, CacheFormat::Fp8DsMla, &FormatCost::format) == costs.end());
    }

    void blockSizesByHand()
    {
        const auto costs = costByBlockSize(with("context=1000"));
        QCOMPARE(costs.size(), std::size_t{9});
        const auto sixteen = std::ranges::find(costs, 16, &BlockSizeCost::blockTokens);
        QCOMPARE(sixteen->tailTokens, qint64{8}); // 63 · 16 − 1,000
        QCOMPARE(sixteen->meanTailTokens, 7.5);
        QCOMPARE(sixteen->boundTokens, qint64{15});
        QCOMPARE(sixteen->tableBytes, qint64{252});
        for (const BlockSizeCost& cost : costs) {
            QVERIFY(cost.tailTokens <= cost.boundTokens);
            QCOMPARE((1000 + cost.tailTokens) % cost.blockTokens, qint64{0});
        }
        QCOMPARE(costs.front().tailTokens, qint64{0});
        QCOMPARE(costs.back().blockTokens, qint64{256});
    }

    void meanTailsAreTheMeanOverContexts()
    {
        for (const BlockSizeCost& cost : costByBlockSize({})) {
            double sum = 0;
            Scenario scenario;
            for (std::int64_t context = 1; context <= cost.blockTokens; ++context) {
                scenario.contextTokens = context;
                const auto at = costByBlockSize(scenario);
                sum += static_cast<double>(
                    std::ranges::find(at, cost.blockTokens, &BlockSizeCost::blockTokens)->tailTokens);
            }
            QVERIFY(near(sum / static_cast<double>(cost.blockTokens), cost.meanTailTokens));
        }
    }

    void staticBatches()
    {
        const auto bare = staticBatchShare({});
        QCOMPARE(bare.size(), std::size_t{1});
        const auto at = [](const Curve& curve, double batch) {
            return std::ranges::find(curve.points, batch, &CurvePoint::x)->y;
        };
        QCOMPARE(std::round(at(bare[0], 8) * 1000), 368.0);
        QCOMPARE(std::round(at(bare[0], 32) * 1000), 246.0);
        QCOMPARE(std::round(at(bare[0], 128) * 1000), 184.0);
        const auto both = staticBatchShare(with("prompt=fixed:9 output=uniform:1,6"));
        QCOMPARE(both.size(), std::size_t{2});
        QVERIFY(both[1].chosen && !both[0].chosen);
        QCOMPARE(both[1].label, std::string("uniform:1,6"));
        QVERIFY(near(at(both[1], 2), 3.5 / (161.0 / 36)));
        QVERIFY(near(at(both[1], 1), 1));
    }

    void theMapsShareIsOneOnItsBoundary_data() { addScenarios(); }
    void theMapsShareIsOneOnItsBoundary()
    {
        QFETCH(QString, given);
        Scenario scenario = with(given);
        const Plan planned = planOf(scenario);
        const FitMap map = fitMap(scenario, planned);
        QCOMPARE(map.share.size(), map.contexts.size() * map.sequences.size());
        QCOMPARE(map.boundary.size(), map.contexts.size());
        QVERIFY(std::ranges::is_sorted(map.contexts) && std::ranges::is_sorted(map.sequences));
        QVERIFY(map.contexts.front() < static_cast<double>(scenario.contextTokens));
        QVERIFY(map.contexts.back() > static_cast<double>(scenario.contextTokens));
        QVERIFY(map.sequences.back() >= static_cast<double>(scenario.concurrency));
        for (std::size_t column = 0; column < map.contexts.size(); ++column) {
            QCOMPARE(map.boundary[column].x, map.contexts[column]);
            scenario.contextTokens = std::llround(map.contexts[column]);
            const double largest = planOf(scenario).concurrency.worstCase;
            QVERIFY(near(map.boundary[column].y, largest));
            for (std::size_t row = 0; row < map.sequences.size(); ++row) {
                const double share = map.share[row * map.contexts.size() + column];
                const double gap = map.sequences[row] / largest - 1;
                QVERIFY2(std::abs(gap) < 1e-9 || (share > 1) == (gap > 0),
                    qPrintable(QString("%1 of %2: %3").arg(map.sequences[row]).arg(largest).arg(share)));
            }
        }
    }

    void theMapsShareIsThePlansShare_data()
    {
        QTest::addColumn<QString>("given");
        QTest::addColumn<double>("sequences");
        QTest::addColumn<double>("gib");
        QTest::newRow("16 of 1 GiB") << "" << 16.0 << 16.0;
        QTest::newRow("half of each is its tenant's")
            << "shared-prefix=4096 prefix-groups=4" << 16.0 << 4 * 0.5 + 16 * 0.5;
        QTest::newRow("fewer than tenants share nothing") << "shared-prefix=4096 prefix-groups=8" << 4.0 << 4.0;
        QTest::newRow("two replicas hold half each") << "replicas=2" << 16.0 << 8.0;
    }
    void theMapsShareIsThePlansShare()
    {
        QFETCH(QString, given);
        QFETCH(double, sequences);
        QFETCH(double, gib);
        const Scenario scenario = with(given);
        const FitMap map = fitMap(scenario, planOf(scenario));
        const auto column = std::ranges::find(map.contexts, 8192.0) - map.contexts.begin();
        const auto row = std::ranges::find(map.sequences, sequences) - map.sequences.begin();
        const double share
            = map.share[static_cast<std::size_t>(row) * map.contexts.size() + static_cast<std::size_t>(column)];
        QVERIFY(std::abs(share - gib * 1.1 / 60) < 1e-9);
    }

    void nothingFitsWithoutAPool()
    {
        const Scenario scenario = with("weights-gib=100");
        const Plan planned = planOf(scenario);
        const std::vector<Curve> curves = concurrencyAgainstContext(scenario, planned);
        for (const CurvePoint& point : curves.front().points) {
            QCOMPARE(point.y, 0.0);
        }
        const FitMap map = fitMap(scenario, planned);
        QVERIFY(std::ranges::all_of(map.share, [](double share) { return std::isinf(share); }));
        QVERIFY(std::ranges::all_of(map.boundary, [](const CurvePoint& point) { return point.y == 0; }));
    }

    void theRidgeByHand()
    {
        // H100 SXM: 989 Tflop/s over 3.35 TB/s is 295 flops a byte; bf16 does 2 flops on 2 bytes.
        const auto ridge = ridgeBatch({});
        QVERIFY(std::abs(ridge->sequences - 989e12 / 3.35e12) < 1e-9);
        QCOMPARE(ridge->basis, std::string("H100 SXM"));
        const auto eight = ridgeBatch(with("weight-format=fp8"));
        QVERIFY(std::abs(eight->sequences - 1979e12 / (2 * 3.35e12)) < 1e-9);

        Scenario own;
        own.accelerator.emplace();
        own.accelerator->name = "a card";
        QVERIFY(!ridgeBatch(own)); // its rates are not known
        own.accelerator->bandwidthBytesPerSecond = 1e12;
        QVERIFY(!ridgeBatch(own));
        own.accelerator->fp16FlopsPerSecond = 100e12;
        QCOMPARE(ridgeBatch(own)->sequences, 100.0);
        own.accelerator->bf16FlopsPerSecond = 200e12;
        QCOMPARE(ridgeBatch(own)->sequences, 200.0);
        QCOMPARE(ridgeBatch(own)->basis, std::string("a card"));
    }
};

QTEST_APPLESS_MAIN(TestCurves)
#include "tst_curves.moc"
