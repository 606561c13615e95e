// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words.h"
#include "core/scenario/fields.h"

#include <QTest>

using namespace kvplan;

class TestWords : public QObject {
    Q_OBJECT

private slots:
    void thousandsAreGrouped_data()
    {
        QTest::addColumn<qint64>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << qint64{0} << "0";
        QTest::newRow("three digits") << qint64{999} << "999";
        QTest::newRow("four digits") << qint64{1000} << "1,000";
        QTest::newRow("negative") << qint64{-123456} << "-123,456";
        QTest::newRow("largest") << std::numeric_limits<qint64>::max() << "9,223,372,036,854,775,807";
    }
    void thousandsAreGrouped()
    {
        QFETCH(qint64, value);
        QFETCH(QString, text);
        QCOMPARE(grouped(value), text.toStdString());
    }

    void gibHasThreeSignificantDigits_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("24") << 24.0 << "24.0 GiB";
        QTest::newRow("26.4") << 26.4 << "26.4 GiB";
        QTest::newRow("two decimals below ten") << 8.578 << "8.58 GiB";
        QTest::newRow("rounds up to ten") << 9.999 << "10.0 GiB";
        QTest::newRow("small") << 0.0004 << "0.000400 GiB";
        QTest::newRow("one decimal above a hundred") << 513.46 << "513.5 GiB";
        QTest::newRow("below one") << 0.2857 << "0.286 GiB";
        QTest::newRow("one") << 1.0 << "1.00 GiB";
        QTest::newRow("nothing") << 0.0 << "0.00 GiB";
        QTest::newRow("whole from a thousand on") << 1056.0 << "1,056 GiB";
        QTest::newRow("grouped when huge") << 123456.0 << "123,456 GiB";
    }
    void gibHasThreeSignificantDigits()
    {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(gibText(bytesFromGib(value)), text.toStdString());
    }

    void theVerdictSaysWhatDecides_data()
    {
        QTest::addColumn<Scenario>("scenario");
        QTest::addColumn<QString>("sentence");
        const Scenario example;
        QTest::newRow("fits") << example
                              << "Fits: 54 full sequences; 24 asked hold 24.0 GiB (26.4 with overhead) of "
                                 "60.0 GiB, 44 %.";
        Scenario many;
        many.concurrency = 60;
        QTest::newRow("too many") << many
                                  << "Does not fit: 60 sequences of 8,192 tokens need 60.0 GiB (66.0 with overhead) of "
                                     "60.0 GiB; 54 full sequences would fit.";
        Scenario weights;
        weights.weightsGib = 140;
        QTest::newRow("weights do not fit")
            << weights
            << "Does not fit: 140.0 GiB of 80.0 GiB are taken before the cache, 60.0 GiB more than there is.";
        Scenario capped;
        capped.maxSequences = 16;
        QTest::newRow("sequence cap")
            << capped << "Does not fit: the sequence cap admits 16 and 24 are asked for; the cache would hold 54.";
        Scenario split;
        split.tensorParallel = 2;
        QTest::newRow("two accelerators") << split
                                          << "Fits: 109 full sequences; 24 asked hold 12.0 GiB (13.2 with "
                                             "overhead) of 60.0 GiB on each accelerator, 22 %.";
    }
    void theVerdictSaysWhatDecides()
    {
        QFETCH(Scenario, scenario);
        QFETCH(QString, sentence);
        QCOMPARE(QString::fromStdString(plan(scenario)->verdict), sentence);
    }

    void warningsAppearWithTheirCause_data()
    {
        QTest::addColumn<Scenario>("scenario");
        QTest::addColumn<QString>("words");
        Scenario beyond;
        beyond.model = resolveArchitecture({}).value();
        beyond.model->maxPosition = Tokens(4096);
        QTest::newRow("beyond the model's maximum") << beyond << "beyond the model's own maximum of 4,096";
        Scenario launched;
        launched.maxModelLenTokens = 2048;
        QTest::newRow("longer than launched") << launched << "longer than the launched length of 2,048";
        Scenario replicated;
        replicated.tensorParallel = 16;
        QTest::newRow("replication") << replicated << "each head is kept 2 times";
        Scenario prefix;
        prefix.sharedPrefixTokens = 240;
        prefix.blockTokens = 784;
        QTest::newRow("a prefix of no whole block") << prefix << "nothing is shared";
        Scenario pool;
        pool.kvPoolGib = 100;
        QTest::newRow("a pool larger than the card") << pool << "larger than the accelerator's 80.0 GiB";
        Scenario odd;
        odd.tensorParallel = 3;
        QTest::newRow("uneven tensor ranks") << odd << "does not divide 32 query heads";
    }
    void warningsAppearWithTheirCause()
    {
        QFETCH(Scenario, scenario);
        QFETCH(QString, words);
        const auto contains = [&](const Plan& plan) {
            return std::ranges::any_of(plan.warnings,
                [&](const std::string& warning) { return QString::fromStdString(warning).contains(words); });
        };
        QVERIFY(contains(*plan(scenario)));
        QVERIFY(!contains(*plan({})));
    }

    void adviceIsTrue()
    {
        const Plan before = *plan({});
        QVERIFY(!before.advice.empty());
        QCOMPARE(before.advice.front().change, std::string("fp8 cache"));
        QCOMPARE(before.advice.front().fullSequences, qint64{109});
        Scenario fp8;
        fp8.keyFormat = fp8.valueFormat = CacheFormat::Fp8;
        QCOMPARE(plan(fp8)->concurrency.fullSequences, qint64{109});
        for (const Advice& advice : before.advice) {
            QVERIFY(advice.fullSequences > before.concurrency.fullSequences);
        }
    }

    void adviceThatMakesItFitComesFirst()
    {
        Scenario scenario;
        scenario.concurrency = 300; // fp8 alone does not suffice
        scenario.contextTokens = 8192;
        scenario.tensorParallel = 4; // 218 in bf16
        const Plan before = *plan(scenario);
        QVERIFY(!before.fits);
        bool stillFitting = true;
        for (const Advice& advice : before.advice) {
            const bool fits = advice.fullSequences >= scenario.concurrency;
            QVERIFY(stillFitting || !fits);
            stillFitting = fits;
        }
        QVERIFY(before.advice.front().fullSequences >= scenario.concurrency);
    }

    void theHeadroomIsSaidToStandForUnknownWeights()
    {
        const auto says = [](const Scenario& scenario) {
            const Plan result = *plan(scenario);
            return std::ranges::any_of(result.assumptions, [](const std::string& assumption) {
                return assumption.find("headroom of 25 % stands for them") != std::string::npos;
            });
        };
        QVERIFY(says({}));
        Scenario known;
        known.weightsGib = 15;
        QVERIFY(!says(known));
    }
};

QTEST_APPLESS_MAIN(TestWords)
#include "tst_words.moc"
