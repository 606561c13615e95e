// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/fields.h"
#include "core/scenario/scenario_file.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace kvplan;

namespace {

Scenario everythingGiven()
{
    Scenario scenario;
    Architecture model;
    model.name = "two groups \"quoted\" ünï";
    model.layers = 6;
    model.hidden = 4096;
    model.queryHeads = 32;
    model.groups = {{5, SlidingAttention{16, 256, 256, Tokens(1024)}}, {1, FullAttention{16, 256, 128}}};
    model.order = {0, 0, 0, 0, 0, 1};
    model.parameters = 1234567890123;
    model.maxPosition = Tokens(131072);
    model.weightFormat = "bf16";
    scenario.model = model;
    Accelerator card;
    card.name = "a card";
    card.vendor = "a vendor";
    card.capacity = Bytes(84987740160);
    card.capacityLow = Bytes(84900000000);
    card.capacityHigh = Bytes(85000000000);
    card.bandwidthBytesPerSecond = 3.35e12;
    scenario.accelerator = card;
    for (const FieldSpec& field : fieldSpecs()) {
        switch (field.kind) {
        case FieldKind::Integer:
            (void)setNumber(scenario, field.field, field.sliderMaximum);
            break;
        case FieldKind::Real:
            (void)setNumber(scenario, field.field, (field.minimum + field.maximum) / 3);
            break;
        case FieldKind::Choice:
            (void)setText(scenario, field.field, choices(field.field).back());
            break;
        case FieldKind::Distribution:
            (void)setText(scenario, field.field, "lognormal:1155,3500");
            break;
        }
    }
    return scenario;
}

} // namespace

class TestScenarioFile : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenIsReadBack()
    {
        for (const Scenario& scenario : {Scenario{}, everythingGiven()}) {
            const auto read = readScenario(writeScenario({scenario, {}}), "test");
            QVERIFY2(read, read ? "" : read.error().sentence().c_str());
            QVERIFY(read->scenario == scenario);
            QVERIFY(read->unknownJson.empty());
        }
    }

    void unknownKeysAreKept()
    {
        const std::string text = R"({"schema": "kvplan-scenario", "version": 1, "context": 4096,
            "from-the-future": {"deep": [1, 2.5, null]}, "note": "kept"})";
        const auto read = readScenario(text, "test");
        QVERIFY(read);
        QCOMPARE(read->scenario.contextTokens, qint64{4096});
        const auto again = readScenario(writeScenario(*read), "test");
        QVERIFY(again);
        QCOMPARE(again->unknownJson, read->unknownJson);
        QVERIFY(read->unknownJson.find("[1,2.5,null]") != std::string::npos);
        QVERIFY(read->unknownJson.find("kept") != std::string::npos);
    }

    void badFilesAreRefusedWithTheirLine_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("reason");
        QTest::newRow("empty") << ""
                               << "line 1"
                               << "not JSON";
        QTest::newRow("broken on its third line") << "{\n\"schema\": \"kvplan-scenario\",\n\"version\": }\n"
                                                  << "line 3"
                                                  << "not JSON";
        QTest::newRow("cut short") << "{\n\"schema\": \"kvplan-scenario\",\n"
                                   << "line 3"
                                   << "not JSON";
        QTest::newRow("a list") << "[1, 2]"
                                << "line 1"
                                << "not a kvplan scenario";
        QTest::newRow("another schema") << "{\"schema\": \"other\"}"
                                        << "line 1"
                                        << "not a kvplan scenario";
        QTest::newRow("no version") << "{\"schema\": \"kvplan-scenario\"}"
                                    << ""
                                    << "no version";
        QTest::newRow("a newer version") << "{\"schema\": \"kvplan-scenario\",\n\"version\": 2}"
                                         << "line 2"
                                         << "version 2";
        QTest::newRow("text where a number belongs")
            << "{\"schema\": \"kvplan-scenario\", \"version\": 1,\n\n\"context\": \"many\"}"
            << "line 3"
            << "context";
        QTest::newRow("zero") << "{\"schema\": \"kvplan-scenario\", \"version\": 1,\n\"context\": 0}"
                              << "line 2"
                              << "too small";
        QTest::newRow("negative") << "{\"schema\": \"kvplan-scenario\", \"version\": 1,\n\"layers\": -3}"
                                  << "line 2"
                                  << "too small";
        QTest::newRow("beyond 64 bits") << "{\"schema\": \"kvplan-scenario\", \"version\": 1,\n\"layers\": 1e300}"
                                        << "line 2"
                                        << "too large";
        QTest::newRow("an unknown format")
            << "{\"schema\": \"kvplan-scenario\", \"version\": 1,\n\"k-format\": \"bf17\"}"
            << "line 2"
            << "bf17";
        QTest::newRow("a model that is a number") << "{\"schema\": \"kvplan-scenario\", \"version\": 1,\n\"model\": 7}"
                                                  << "line 2"
                                                  << "";
        QTest::newRow("a prompt without an output")
            << "{\"schema\": \"kvplan-scenario\", \"version\": 1,\n\"prompt\": \"fixed:7\"}"
            << "line 2"
            << "both";
    }
    void badFilesAreRefusedWithTheirLine()
    {
        QFETCH(QString, text);
        QFETCH(QString, line);
        QFETCH(QString, reason);
        const auto read = readScenario(text.toStdString(), "bad.json");
        QVERIFY(!read);
        const QString sentence = QString::fromStdString(read.error().sentence());
        QVERIFY2(sentence.contains("bad.json"), qPrintable(sentence));
        QVERIFY2(sentence.contains(line), qPrintable(sentence));
        QVERIFY2(sentence.contains(reason), qPrintable(sentence));
        QVERIFY(!read.error().mend.empty());
    }

    void savedAndLoaded()
    {
        QTemporaryDir folder;
        const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "a.kvplan.json";
        const ScenarioDocument document{everythingGiven(), {}};
        QVERIFY(saveScenario(path, document));
        const auto loaded = loadScenario(path);
        QVERIFY(loaded);
        QVERIFY(loaded->scenario == document.scenario);
    }
};

QTEST_APPLESS_MAIN(TestScenarioFile)
#include "tst_scenario_file.moc"
