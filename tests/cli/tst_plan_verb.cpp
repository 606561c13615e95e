// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/command.h"

#include <QJsonArray>
#include <QTest>

using namespace kvplan::testing;

namespace {

constexpr double gib = 1073741824;

void addCase(const char* name, const QStringList& flags, const QString& path, double expected)
{
    QTest::newRow(name) << flags << path << expected;
}

} // namespace

class TestPlanVerb : public QObject {
    Q_OBJECT

private slots:
    void workedFiguresComeOutExactly_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QString>("path");
        QTest::addColumn<double>("expected");
        addCase("a token of 32 layers, 8 heads of 128, 2 bytes", {}, "kv.bytes_per_token", 2.0 * 32 * 8 * 128 * 2);
        addCase("a sequence of 8,192 tokens is 1 GiB", {}, "kv.bytes_per_sequence", gib);
        addCase("24 of them are 24.0 GiB", {}, "kv.raw_bytes", 25769803776);
        addCase("with 10 % they are 26.4 GiB", {}, "kv.with_overhead_bytes", 28346784154);
        addCase("80 GiB less 25 % are 60.0 GiB", {}, "budget.usable_bytes", 64424509440);
        addCase("54 full sequences", {}, "concurrency.full_sequences", 54);
        addCase("fp8: 109, not twice 54", {"--kv-format", "fp8"}, "concurrency.full_sequences", 109);
        addCase("16 sequences with 15 % are 18.4 GiB", {"--concurrency", "16", "--overhead-percent", "15"},
            "kv.with_overhead_bytes", 19756849562);
        addCase("131,072 tokens are 16 GiB", {"--context", "131072"}, "kv.bytes_per_sequence", 16 * gib);
        addCase("80 layers: 320 KiB a token", {"--layers", "80", "--query-heads", "64"}, "kv.bytes_per_token", 327680);
        addCase("80 layers: 40 GiB at 128k", {"--layers", "80", "--query-heads", "64", "--context", "128k"},
            "kv.bytes_per_sequence", 40 * gib);
        addCase("the same with MHA: 2.5 MiB a token", {"--layers", "80", "--query-heads", "64", "--kv-heads", "64"},
            "kv.bytes_per_token", 2621440);
        addCase("a block of 16 tokens is 2 MiB", {}, "paging.block_bytes", 2097152);
        addCase("28,610 such blocks in 60 GB", {"--kv-pool-gib", "55.87935447692871"}, "paging.pool_blocks", 28610);
        addCase("40 layers with MHA: 6.25 GiB at 8,192",
            {"--layers", "40", "--query-heads", "40", "--kv-heads", "40", "--context", "8192"}, "kv.bytes_per_sequence",
            6.25 * gib);
        addCase("64 layers, heads of 256, int8: 262,144 B",
            {"--layers", "64", "--head-dim", "256", "--kv-format", "int8"}, "kv.bytes_per_token", 262144);
        const QStringList served{"--layers", "64", "--head-dim", "256", "--kv-format", "int8", "--capacity-gib",
            "238.418579", "--weights-gib", "17.13633537", "--overhead-percent", "0"};
        addCase("18.4 GB on 256 GB: 110 at 8,192", served, "concurrency.full_sequences", 110);
        addCase("18.4 GB on 256 GB: 6 at 131,072", served + QStringList{"--context", "131072"},
            "concurrency.full_sequences", 6);
        addCase("with one KV head: 885", served + QStringList{"--kv-heads", "1"}, "concurrency.full_sequences", 885);
        addCase("with one KV head: 55 at 131,072", served + QStringList{"--kv-heads", "1", "--context", "131072"},
            "concurrency.full_sequences", 55);
        addCase("80 layers in int8: 163,840 B", {"--layers", "80", "--query-heads", "64", "--kv-format", "int8"},
            "kv.bytes_per_token", 163840);
        addCase("32k in q8_0: 2.125 GiB", {"--context", "32k", "--kv-format", "q8_0"}, "kv.bytes_per_sequence",
            2.125 * gib);
        addCase("32k in q4_0: 1.125 GiB", {"--context", "32k", "--kv-format", "q4_0"}, "kv.bytes_per_sequence",
            1.125 * gib);
        addCase("a latent of 512 + 64 is one tensor", {"--mla-rank", "512", "--layers", "61"}, "kv.bytes_per_token",
            61 * 576 * 2);
        addCase("three replicas: three times the floor, not the floor of three times", {"--replicas", "3"},
            "concurrency.full_sequences", 162);
        addCase("tp 16 keeps each of 8 heads twice", {"--tp", "16"}, "kv.bytes_per_token_per_gpu", 32 * 1 * 256 * 2);
        addCase("tp 2, pp 4 and 3 replicas are 24 accelerators", {"--tp", "2", "--pp", "4", "--replicas", "3"},
            "accelerators", 24);
        addCase("a decoding sequence of fixed lengths: P + O/2", {"--prompt", "fixed:1000", "--output", "fixed:101"},
            "concurrency.mean_resident_tokens", 1050.5);
    }
    void workedFiguresComeOutExactly()
    {
        QFETCH(QStringList, flags);
        QFETCH(QString, path);
        QFETCH(double, expected);
        QCOMPARE(at(json(QStringList{"plan"} + flags), path).toDouble(-1), expected);
    }

    void everyKeyOfTheContractIsThere_data()
    {
        QTest::addColumn<QString>("object");
        QTest::addColumn<QString>("keys");
        QTest::newRow("cache") << "kv"
                               << "bytes_per_token marginal_bytes_per_token all_layers_bytes_per_token "
                                  "pool_bytes_per_token state_bytes_per_sequence bytes_per_sequence raw_bytes "
                                  "with_overhead_bytes bytes_per_token_per_gpu";
        QTest::newRow("budget") << "budget"
                                << "capacity_bytes usable_bytes lines";
        QTest::newRow("budget line") << "budget.lines.0"
                                     << "name bytes low_bytes high_bytes basis formula";
        QTest::newRow("paging") << "paging"
                                << "block_tokens block_bytes pool_blocks blocks_per_sequence "
                                   "tail_tokens_per_sequence waste";
        QTest::newRow("waste") << "paging.waste.0"
                               << "name bytes";
        QTest::newRow("concurrency") << "concurrency"
                                     << "full_sequences worst_case steady_state mean_field at_confidence";
        QTest::newRow("engine") << "engine"
                                << "name version reported_tokens reported_concurrency";
        QTest::newRow("advice") << "advice.0"
                                << "change from to full_sequences";
        QTest::newRow("top") << ""
                             << "kv budget paging concurrency engine accelerators fits binding_limit verdict advice "
                                "warnings assumptions";
    }
    void everyKeyOfTheContractIsThere()
    {
        QFETCH(QString, object);
        QFETCH(QString, keys);
        const QJsonObject root = json({"plan"});
        const QJsonObject found = object.isEmpty() ? root : at(root, object).toObject();
        for (const QString& key : keys.split(' ')) {
            QVERIFY2(found.contains(key), qPrintable(key));
        }
    }

    void onlyAMixGivesTheLastTwoCapacities()
    {
        const QJsonObject without = json({"plan"});
        QVERIFY(at(without, "concurrency.mean_field").isNull());
        QVERIFY(at(without, "concurrency.at_confidence").isNull());
        const QJsonObject with = json({"plan", "--prompt", "lognormal:1155,3500", "--output", "exponential:211"});
        const double mean = at(with, "concurrency.mean_field").toDouble();
        const double sure = at(with, "concurrency.at_confidence").toDouble();
        QVERIFY(mean > 54 && sure > 54 && sure < mean);
    }

    void checkEndsWithThreeWhenItDoesNotFit_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("fits") << QStringList{"--check"} << 0;
        QTest::newRow("exactly full") << QStringList{"--check", "--concurrency", "54"} << 0;
        QTest::newRow("one too many") << QStringList{"--check", "--concurrency", "55"} << 3;
        QTest::newRow("one too many, as JSON") << QStringList{"--check", "--json", "--concurrency", "55"} << 3;
        QTest::newRow("one too many, not asked to check") << QStringList{"--concurrency", "55"} << 0;
        QTest::newRow("the weights do not fit") << QStringList{"--check", "--weights-gib", "81"} << 3;
    }
    void checkEndsWithThreeWhenItDoesNotFit()
    {
        QFETCH(QStringList, flags);
        QFETCH(int, exitCode);
        const Ended ended = run(QStringList{"plan"} + flags);
        QCOMPARE(ended.exitCode, exitCode);
        QVERIFY(!ended.out.isEmpty());
        QCOMPARE(ended.error, QByteArray());
    }

    void textSaysTheVerdictFirst()
    {
        const Ended ended = run({"plan"});
        QCOMPARE(ended.exitCode, 0);
        QVERIFY(ended.out.startsWith("Fits: 54 full sequences"));
        for (const char* figure : {"131,072 B", "24.0 GiB", "26.4 GiB", "60.0 GiB", "headroom of 25 %"}) {
            QVERIFY2(ended.out.contains(figure), figure);
        }
    }
};

QTEST_GUILESS_MAIN(TestPlanVerb)
#include "tst_plan_verb.moc"
