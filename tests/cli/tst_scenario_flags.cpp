// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/fields.h"
#include "tests/cli/command.h"

#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace kvplan;
using namespace kvplan::testing;

namespace {

struct Trial {
    QString value; ///< other than the default
    QStringList beside; ///< flags that it needs
};

/// One value for every field of the table.
const std::map<std::string_view, Trial>& trials()
{
    static const std::map<std::string_view, Trial> all{
        {"layers", {"16", {}}},
        {"query-heads", {"64", {}}},
        {"kv-heads", {"4", {}}},
        {"head-dim", {"64", {}}},
        {"v-head-dim", {"96", {}}},
        {"window", {"1024", {}}},
        {"global-every", {"6", {"--window", "1024"}}},
        {"mla-rank", {"512", {}}},
        {"mla-rope-dim", {"32", {"--mla-rank", "512"}}},
        {"parameters-b", {"8.03", {}}},
        {"active-parameters-b", {"3.5", {"--parameters-b", "30"}}},
        {"k-format", {"fp8", {}}},
        {"v-format", {"q8_0", {}}},
        {"block-size", {"32", {}}},
        {"context", {"4096", {}}},
        {"max-model-len", {"16384", {}}},
        {"concurrency", {"7", {}}},
        {"shared-prefix", {"1024", {}}},
        {"prefix-groups", {"3", {"--shared-prefix", "1024"}}},
        {"prompt", {"fixed:1000", {"--output", "fixed:100"}}},
        {"output", {"uniform:10,20", {"--prompt", "fixed:1000"}}},
        {"confidence", {"0.9", {"--prompt", "exponential:500", "--output", "exponential:500"}}},
        {"capacity-gib", {"40.5", {}}},
        {"headroom-percent", {"12.5", {}}},
        {"overhead-percent", {"0", {}}},
        {"engine", {"simple", {}}},
        {"kv-pool-gib", {"30", {}}},
        {"weights-gib", {"15", {}}},
        {"weight-format", {"fp8", {"--parameters-b", "8"}}},
        {"activation-gib", {"2", {"--weights-gib", "15"}}},
        {"graphs-gib", {"1.5", {"--weights-gib", "15"}}},
        {"other-gib", {"0.5", {"--weights-gib", "15"}}},
        {"max-batched-tokens", {"2048", {}}},
        {"max-sequences", {"16", {}}},
        {"tp", {"4", {}}},
        {"pp", {"2", {}}},
        {"dcp", {"2", {"--tp", "16"}}},
        {"replicas", {"3", {}}},
    };
    return all;
}

QJsonObject withoutScenario(QJsonObject plan)
{
    plan.remove("scenario");
    return plan;
}

} // namespace

class TestScenarioFlags : public QObject {
    Q_OBJECT

private slots:
    void everyFlagOfTheTableIsInForce_data()
    {
        QTest::addColumn<QString>("key");
        for (const FieldSpec& field : fieldSpecs()) {
            QTest::newRow(field.key.data()) << QString::fromUtf8(field.key.data(), qsizetype(field.key.size()));
        }
    }
    void everyFlagOfTheTableIsInForce()
    {
        QFETCH(QString, key);
        const auto trial = trials().find(key.toStdString());
        QVERIFY2(trial != trials().end(), "a field without a trial: add one");
        const auto& [value, beside] = trial->second;
        const QJsonObject plan = json(QStringList{"plan"} + beside + QStringList{"--" + key, value});
        QCOMPARE(at(plan, "scenario." + key).toVariant().toString(), value);
    }

    void everyFlagChangesThePlan_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QStringList>("beside");
        // The scheduler's token cap, the active parameters and the one engine do not enter a plan by the simple budget.
        for (const auto& [key, trial] : trials()) {
            if (key != "max-batched-tokens" && key != "active-parameters-b" && key != "engine" && key != "query-heads"
                && !(key == "prompt" || key == "output")) {
                QTest::newRow(key.data()) << QString::fromStdString(std::string(key)) << trial.beside;
            }
        }
        QTest::newRow("query-heads") << "query-heads" << QStringList{"--tp", "3"};
    }
    void everyFlagChangesThePlan()
    {
        QFETCH(QString, key);
        QFETCH(QStringList, beside);
        const QString value = trials().at(key.toStdString()).value;
        const QJsonObject before = json(QStringList{"plan"} + beside);
        const QJsonObject after = json(QStringList{"plan"} + beside + QStringList{"--" + key, value});
        QVERIFY(withoutScenario(before) != withoutScenario(after));
    }

    void kvFormatSetsBothAndANarrowerFlagWins()
    {
        QJsonObject plan = json({"plan", "--kv-format", "fp8"});
        QCOMPARE(at(plan, "scenario.k-format").toString(), "fp8");
        QCOMPARE(at(plan, "scenario.v-format").toString(), "fp8");
        plan = json({"plan", "--v-format", "bf16", "--kv-format", "fp8"});
        QCOMPARE(at(plan, "scenario.k-format").toString(), "fp8");
        QCOMPARE(at(plan, "scenario.v-format").toString(), "bf16");
    }

    void theOneEngineVersionIsAccepted()
    {
        const QString version = at(json({"plan"}), "engine.version").toString();
        QCOMPARE(at(json({"plan", "--engine-version", version}), "engine.version").toString(), version);
    }

    void valuesMayStandBehindAnEqualsSign()
    {
        QCOMPARE(at(json({"plan", "--context=4096"}), "scenario.context").toInteger(), 4096);
    }

    void aFlagWinsOverTheFile()
    {
        const QString path
            = scenarioFile(R"({"schema": "kvplan-scenario", "version": 1, "context": 4096, "layers": 16})");
        const QJsonObject file = json({"plan", "--scenario", path});
        QCOMPARE(at(file, "scenario.context").toInteger(), 4096);
        QCOMPARE(at(file, "scenario.layers").toInteger(), 16);
        const QJsonObject flag = json({"plan", "--scenario", path, "--context", "2048"});
        QCOMPARE(at(flag, "scenario.context").toInteger(), 2048);
        QCOMPARE(at(flag, "scenario.layers").toInteger(), 16);
    }

    void aModelNamedByAFlagTakesThePlaceOfTheFilesShape()
    {
        const QString path = scenarioFile(
            R"({"schema": "kvplan-scenario", "version": 1, "layers": 7, "weights-gib": 3, "capacity-gib": 40})");
        const QJsonObject plain = json({"plan", "--model", "Llama-3.1-8B"});
        const QJsonObject plan = json({"plan", "--scenario", path, "--model", "Llama-3.1-8B"});
        QCOMPARE(at(plan, "scenario.layers"), at(plain, "scenario.layers"));
        QCOMPARE(at(plan, "scenario.weights-gib"), at(plain, "scenario.weights-gib"));
        QCOMPARE(at(plan, "scenario.capacity-gib").toInteger(), 40);
    }

    void anAcceleratorNamedByAFlagTakesThePlaceOfTheFilesCapacity()
    {
        const QString path = scenarioFile(R"({"schema": "kvplan-scenario", "version": 1, "capacity-gib": 40})");
        const QJsonObject plan = json({"plan", "--scenario", path, "--accelerator", "H100 SXM"});
        QVERIFY(at(plan, "budget.capacity_bytes").toDouble() > 75 * 1073741824.0);
    }

    void aShapeFlagLiesOnTopOfTheModel()
    {
        const QJsonObject whole = json({"plan", "--model", "Llama-3.1-8B"});
        const QJsonObject half = json({"plan", "--model", "Llama-3.1-8B", "--layers", "16"});
        QCOMPARE(at(half, "kv.bytes_per_token").toDouble() * 2, at(whole, "kv.bytes_per_token").toDouble());
    }

private:
    QString scenarioFile(const QByteArray& text)
    {
        const QString path = m_folder.filePath("some.kvplan.json");
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
            QTest::qFail("the scenario cannot be written", __FILE__, __LINE__);
        }
        return path;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestScenarioFlags)
#include "tst_scenario_flags.moc"
