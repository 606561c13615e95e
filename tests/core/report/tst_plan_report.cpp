// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_json.h"
#include "core/report/plan_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <limits>

using namespace kvplan;

namespace {

/// A plan in which every figure is another one, so that a swapped key shows.
Plan distinctPlan()
{
    Plan plan;
    plan.architecture.name = "some model";
    plan.kv.bytesPerToken = 101.5;
    plan.kv.marginalBytesPerToken = Bytes(102);
    plan.kv.allLayersBytesPerToken = Bytes(103);
    plan.kv.poolBytesPerToken = 104;
    plan.kv.stateBytesPerSequence = Bytes(105);
    plan.kv.bytesPerSequence = Bytes(106);
    plan.kv.rawBytes = Bytes(107);
    plan.kv.withOverheadBytes = Bytes(108);
    plan.kv.bytesPerTokenPerGpu = 109.25;
    plan.budget.capacity = Bytes(201);
    plan.budget.usable = Bytes(-202);
    plan.budget.lines = {{"capacity", Bytes(203), Bytes(204), Bytes(205), Basis::Estimated, "read in a log"}};
    plan.paging.blockTokens = Tokens(301);
    plan.paging.blockBytes = Bytes(302);
    plan.paging.poolBlocks = Blocks(303);
    plan.paging.blocksPerSequence = Blocks(304);
    plan.paging.tailTokensPerSequence = Tokens(305);
    plan.paging.waste = {{"block tails", Bytes(306)}};
    plan.concurrency.fullSequences = 401;
    plan.concurrency.worstCase = 402.5;
    plan.concurrency.steadyState = 403.5;
    plan.engineName = "simple";
    plan.engineVersion = "7";
    plan.reportedTokens = 501;
    plan.reportedConcurrency = 502.5;
    plan.accelerators = 601;
    plan.fits = true;
    plan.bindingLimit = Limit::Sequences;
    plan.verdict = "Fits.";
    plan.advice = {{"fp8 cache", "bf16", "fp8", 701}};
    plan.warnings = {"a warning"};
    plan.assumptions = {"an assumption"};
    return plan;
}

QJsonObject parsed(const std::string& text)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

QJsonValue at(const QJsonObject& root, const QString& path)
{
    QJsonValue value = root;
    for (const QString& part : path.split('.')) {
        bool index = false;
        const int position = part.toInt(&index);
        value = index ? value.toArray().at(position) : value.toObject().value(part);
    }
    return value;
}

} // namespace

class TestPlanReport : public QObject {
    Q_OBJECT

private slots:
    void everyKeyHoldsItsFigure_data()
    {
        QTest::addColumn<QVariant>("expected");
        const auto row = [](const char* path, const QVariant& expected) { QTest::newRow(path) << expected; };
        row("kv.bytes_per_token", 101.5);
        row("kv.marginal_bytes_per_token", 102);
        row("kv.all_layers_bytes_per_token", 103);
        row("kv.pool_bytes_per_token", 104);
        row("kv.state_bytes_per_sequence", 105);
        row("kv.bytes_per_sequence", 106);
        row("kv.raw_bytes", 107);
        row("kv.with_overhead_bytes", 108);
        row("kv.bytes_per_token_per_gpu", 109.25);
        row("budget.capacity_bytes", 201);
        row("budget.usable_bytes", -202);
        row("budget.lines.0.name", "capacity");
        row("budget.lines.0.bytes", 203);
        row("budget.lines.0.low_bytes", 204);
        row("budget.lines.0.high_bytes", 205);
        row("budget.lines.0.basis", "estimated");
        row("budget.lines.0.formula", "read in a log");
        row("paging.block_tokens", 301);
        row("paging.block_bytes", 302);
        row("paging.pool_blocks", 303);
        row("paging.blocks_per_sequence", 304);
        row("paging.tail_tokens_per_sequence", 305);
        row("paging.waste.0.name", "block tails");
        row("paging.waste.0.bytes", 306);
        row("concurrency.full_sequences", 401);
        row("concurrency.worst_case", 402.5);
        row("concurrency.steady_state", 403.5);
        row("engine.name", "simple");
        row("engine.version", "7");
        row("engine.reported_tokens", 501);
        row("engine.reported_concurrency", 502.5);
        row("accelerators", 601);
        row("fits", true);
        row("binding_limit", "sequences");
        row("verdict", "Fits.");
        row("advice.0.change", "fp8 cache");
        row("advice.0.from", "bf16");
        row("advice.0.to", "fp8");
        row("advice.0.full_sequences", 701);
        row("warnings.0", "a warning");
        row("assumptions.0", "an assumption");
    }
    void everyKeyHoldsItsFigure()
    {
        QFETCH(QVariant, expected);
        const QJsonValue value = at(parsed(planJson(Scenario{}, distinctPlan())), QTest::currentDataTag());
        QCOMPARE(value, QJsonValue::fromVariant(expected));
    }

    void withoutAMixTheLastTwoAreNull()
    {
        const QJsonObject root = parsed(planJson(Scenario{}, distinctPlan()));
        QVERIFY(at(root, "concurrency.mean_field").isNull());
        QVERIFY(at(root, "concurrency.at_confidence").isNull());
    }

    void withAMixTheyAreNumbers()
    {
        Plan plan = distinctPlan();
        plan.concurrency.meanField = 404.5;
        plan.concurrency.atConfidence = 405;
        const QJsonObject root = parsed(planJson(Scenario{}, plan));
        QCOMPARE(at(root, "concurrency.mean_field").toDouble(), 404.5);
        QCOMPARE(at(root, "concurrency.at_confidence").toInteger(), 405);
    }

    void theScenarioIsThereAsItIsInForce()
    {
        Scenario scenario;
        scenario.contextTokens = 4096;
        scenario.keyFormat = CacheFormat::Q8_0;
        scenario.prompt = *LengthDistribution::parse("fixed:100");
        const QJsonObject root = parsed(planJson(scenario, distinctPlan()));
        QCOMPARE(at(root, "scenario.context").toInteger(), 4096);
        QCOMPARE(at(root, "scenario.max-model-len").toInteger(), 4096);
        QCOMPARE(at(root, "scenario.k-format").toString(), "q8_0");
        QCOMPARE(at(root, "scenario.prompt").toString(), "fixed:100");
        QVERIFY(at(root, "scenario.weights-gib").isNull());
    }

    void wholeFiguresHaveNoDecimalPoint()
    {
        Plan plan = distinctPlan();
        plan.kv.bytesPerToken = 131072;
        plan.kv.rawBytes = Bytes(std::numeric_limits<std::int64_t>::max());
        const std::string json = planJson(Scenario{}, plan);
        QVERIFY(json.find("\"bytes_per_token\": 131072,") != std::string::npos);
        QVERIFY(json.find("\"raw_bytes\": 9223372036854775807,") != std::string::npos);
    }

    void aNameThatIsNotUtf8StaysValidJson()
    {
        Plan plan = distinctPlan();
        plan.architecture.name = "bad \xff name";
        QVERIFY(!parsed(planJson(Scenario{}, plan)).isEmpty());
    }

    void theWorkedExampleReadsFromTheVerdictDown()
    {
        const Scenario scenario;
        const auto result = plan(scenario);
        QVERIFY(result.has_value());
        const std::string text = planText(scenario, *result);
        QVERIFY(text.starts_with(result->verdict + "\n"));
        std::size_t from = 0;
        for (const char* next : {"\nMemory\n", "80.0 GiB", "- 20.0 GiB", "60.0 GiB", "\nCache\n", "131,072 B",
                 "24.0 GiB", "26.4 GiB", "\nPaging\n", "16 tokens", "\nSequences that fit\n", "54", "needs --prompt",
                 "\nSingle changes that admit more\n", "109", "\nAssumptions (simple engine", "headroom of 25 %"}) {
            const std::size_t found = text.find(next, from);
            QVERIFY2(found != std::string::npos, next);
            from = found;
        }
        QVERIFY(text.find("Warnings") == std::string::npos);
    }

    void whatIsSplitAndSharedIsNamed()
    {
        Scenario scenario;
        scenario.tensorParallel = 16;
        scenario.queryHeads = 32;
        scenario.sharedPrefixTokens = 4096;
        const auto result = plan(scenario);
        QVERIFY(result.has_value());
        const std::string text = planText(scenario, *result);
        for (const char* part : {"Memory of the tightest accelerator", "one sequence on one accelerator",
                 "shared by a tenant's sequences", "lost to replication", "\nWarnings\n", "over 16 accelerators"}) {
            QVERIFY2(text.find(part) != std::string::npos, part);
        }
    }
};

QTEST_GUILESS_MAIN(TestPlanReport)
#include "tst_plan_report.moc"
