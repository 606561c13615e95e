// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/fields.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <set>

using namespace kvplan;

namespace {

Architecture gemma()
{
    Architecture model;
    model.name = "two groups";
    model.layers = 6;
    model.queryHeads = 32;
    model.groups = {{5, SlidingAttention{16, 256, 256, Tokens(1024)}}, {1, FullAttention{4, 512, 512}}};
    model.order = {0, 0, 0, 0, 0, 1};
    return model;
}

} // namespace

class TestFields : public QObject {
    Q_OBJECT

private slots:
    void keysAreUniqueAndFound()
    {
        std::set<std::string_view> keys;
        for (const FieldSpec& field : fieldSpecs()) {
            QVERIFY(keys.insert(field.key).second);
            QCOMPARE(findField(field.key), &field);
            QCOMPARE(&spec(field.field), &field);
            QVERIFY(!field.label.empty() && field.help.ends_with('.'));
            if (field.kind == FieldKind::Integer || field.kind == FieldKind::Real) {
                QVERIFY(field.minimum < field.maximum);
                QVERIFY(field.sliderMinimum >= field.minimum && field.sliderMaximum <= field.maximum);
            } else if (field.kind == FieldKind::Choice) {
                QVERIFY(!choices(field.field).empty());
            }
        }
        QCOMPARE(findField("no-such-key"), nullptr);
    }

    void defaultsAreTheWorkedExample_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("layers") << "layers"
                                << "32";
        QTest::newRow("query heads") << "query-heads"
                                     << "32";
        QTest::newRow("KV heads") << "kv-heads"
                                  << "8";
        QTest::newRow("head width") << "head-dim"
                                    << "128";
        QTest::newRow("value width follows the key's") << "v-head-dim"
                                                       << "128";
        QTest::newRow("keys in bf16") << "k-format"
                                      << "bf16";
        QTest::newRow("values in bf16") << "v-format"
                                        << "bf16";
        QTest::newRow("context") << "context"
                                 << "8192";
        QTest::newRow("launched length is the context") << "max-model-len"
                                                        << "8192";
        QTest::newRow("sequences") << "concurrency"
                                   << "24";
        QTest::newRow("capacity") << "capacity-gib"
                                  << "80";
        QTest::newRow("headroom while weights are not known") << "headroom-percent"
                                                              << "25";
        QTest::newRow("overhead") << "overhead-percent"
                                  << "10";
        QTest::newRow("block") << "block-size"
                               << "16";
        QTest::newRow("batched tokens") << "max-batched-tokens"
                                        << "8192";
        QTest::newRow("sequence cap") << "max-sequences"
                                      << "1024";
        QTest::newRow("no window") << "window"
                                   << "0";
        QTest::newRow("no shared prefix") << "shared-prefix"
                                          << "0";
        QTest::newRow("one tenant") << "prefix-groups"
                                    << "1";
        QTest::newRow("confidence") << "confidence"
                                    << "0.99";
        QTest::newRow("weights not known") << "weights-gib"
                                           << "";
        QTest::newRow("no mix") << "prompt"
                                << "";
        QTest::newRow("engine") << "engine"
                                << "simple";
        QTest::newRow("tensor parallel") << "tp"
                                         << "1";
    }
    void defaultsAreTheWorkedExample()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        const Scenario scenario;
        const Field field = findField(key.toStdString())->field;
        QCOMPARE(text(scenario, field), value.toStdString());
        QVERIFY(!isGiven(scenario, field));
    }

    void everyFieldIsSetReadBackAndReset()
    {
        for (const FieldSpec& field : fieldSpecs()) {
            Scenario scenario;
            std::string value;
            switch (field.kind) {
            case FieldKind::Integer:
                value = std::to_string(static_cast<std::int64_t>(field.maximum) - 1);
                break;
            case FieldKind::Real:
                value = std::to_string((field.minimum + field.maximum) / 2);
                break;
            case FieldKind::Choice:
                value = std::string(choices(field.field).back());
                break;
            case FieldKind::Distribution:
                value = "fixed:17";
                break;
            }
            QVERIFY2(setText(scenario, field.field, value), field.key.data());
            Scenario again;
            QVERIFY(setText(again, field.field, text(scenario, field.field)));
            QCOMPARE(text(again, field.field), text(scenario, field.field));
            QVERIFY2(again == scenario, field.key.data());
            if (field.field != Field::EngineName) {
                QVERIFY2(isGiven(scenario, field.field), field.key.data());
                QVERIFY2(!(scenario == Scenario{}), field.key.data());
            }
            reset(scenario, field.field);
            QVERIFY2(scenario == Scenario{}, field.key.data());
        }
    }

    void numbersAreReadAsPeopleTypeThem_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<qint64>("tokens");
        QTest::newRow("plain") << "4096" << qint64{4096};
        QTest::newRow("thousands grouped") << "1,048,576" << qint64{1048576};
        QTest::newRow("k means 1,024") << "32k" << qint64{32768};
        QTest::newRow("K after a space") << " 8 K " << qint64{8192};
        QTest::newRow("M means 1,048,576") << "1M" << qint64{1048576};
        QTest::newRow("a whole number written as a real") << "512.0" << qint64{512};
        QTest::newRow("scientific") << "1e3" << qint64{1000};
    }
    void numbersAreReadAsPeopleTypeThem()
    {
        QFETCH(QString, typed);
        QFETCH(qint64, tokens);
        Scenario scenario;
        QVERIFY(setText(scenario, Field::Context, typed.toStdString()));
        QCOMPARE(scenario.contextTokens, tokens);
    }

    void badValuesAreRefusedAndChangeNothing_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("typed");
        QTest::newRow("zero") << "context"
                              << "0";
        QTest::newRow("negative") << "context"
                                  << "-5";
        QTest::newRow("huge") << "context"
                              << "1e30";
        QTest::newRow("larger than any integer") << "context"
                                                 << "99999999999999999999";
        QTest::newRow("not a number") << "context"
                                      << "nan";
        QTest::newRow("infinite") << "context"
                                  << "inf";
        QTest::newRow("empty") << "context"
                               << "";
        QTest::newRow("only spaces") << "context"
                                     << "   ";
        QTest::newRow("words") << "context"
                               << "eight thousand";
        QTest::newRow("number and words") << "context"
                                          << "8192 tokens";
        QTest::newRow("a fraction of a token") << "context"
                                               << "12.5";
        QTest::newRow("commas out of place") << "context"
                                             << "8,19";
        QTest::newRow("hexadecimal") << "context"
                                     << "0x100";
        QTest::newRow("a suffix alone") << "context"
                                        << "k";
        QTest::newRow("layers beyond any model") << "layers"
                                                 << "513";
        QTest::newRow("headroom of everything") << "headroom-percent"
                                                << "100";
        QTest::newRow("negative overhead") << "overhead-percent"
                                           << "-1";
        QTest::newRow("confidence of one") << "confidence"
                                           << "1";
        QTest::newRow("unknown format") << "k-format"
                                        << "bf17";
        QTest::newRow("unknown engine") << "engine"
                                        << "hal";
        QTest::newRow("unknown distribution") << "prompt"
                                              << "gauss:3,4";
        QTest::newRow("capacity of nothing") << "capacity-gib"
                                             << "0";
    }
    void badValuesAreRefusedAndChangeNothing()
    {
        QFETCH(QString, key);
        QFETCH(QString, typed);
        Scenario scenario;
        scenario.contextTokens = 777;
        const Scenario before = scenario;
        const Field field = findField(key.toStdString())->field;
        const auto set = setText(scenario, field, typed.toStdString());
        QVERIFY(!set);
        QVERIFY(!set.error().what.empty());
        QVERIFY(!set.error().where.empty());
        QVERIFY(!set.error().mend.empty());
        QVERIFY(scenario == before);
    }

    void numbersFromSlidersPassTheSameGate()
    {
        Scenario scenario;
        QVERIFY(setNumber(scenario, Field::Context, 65536));
        QCOMPARE(scenario.contextTokens, qint64{65536});
        for (const double bad :
            {0.0, -1.0, 0.5, 1e9, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
            QVERIFY(!setNumber(scenario, Field::Context, bad));
        }
        QCOMPARE(scenario.contextTokens, qint64{65536});
        QVERIFY(!setNumber(scenario, Field::KeyFormat, 1));
    }

    void aModelStandsInUntilAFieldIsGiven()
    {
        Scenario scenario;
        scenario.model = gemma();
        QCOMPARE(*effective(scenario, Field::Layers), 6.0);
        QCOMPARE(*effective(scenario, Field::KvHeads), 16.0);
        QCOMPARE(*effective(scenario, Field::HeadDim), 256.0);
        QCOMPARE(*effective(scenario, Field::Window), 1024.0);
        QVERIFY(setNumber(scenario, Field::Window, 512));
        QCOMPARE(*effective(scenario, Field::Window), 512.0);
        reset(scenario, Field::Window);
        QCOMPARE(*effective(scenario, Field::Window), 1024.0);
    }

    void headroomFallsToZeroOnceTheWeightsAreKnown()
    {
        Scenario scenario;
        QVERIFY(setText(scenario, Field::WeightsGib, "15"));
        QCOMPARE(*effective(scenario, Field::HeadroomPercent), 0.0);
        QVERIFY(setText(scenario, Field::HeadroomPercent, "10"));
        QCOMPARE(*effective(scenario, Field::HeadroomPercent), 10.0);
    }
};

QTEST_APPLESS_MAIN(TestFields)
#include "tst_fields.moc"
