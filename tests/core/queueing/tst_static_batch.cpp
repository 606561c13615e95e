// SPDX-License-Identifier: GPL-3.0-or-later
#include "../workload/given_lengths.h"
#include "core/queueing/static_batch.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace kvplan;

class TestStaticBatch : public QObject {
    Q_OBJECT

private slots:
    void harmonicNumbersByTheirSum()
    {
        double sum = 0;
        for (std::int64_t b = 1; b <= 4096; ++b) {
            sum += 1 / static_cast<double>(b);
            QVERIFY(std::abs(harmonic(b) / sum - 1) < 1e-13);
        }
        QVERIFY(std::abs(harmonic(1000000) - 14.392726722865724) < 1e-11);
    }

    void theFieldsFigures()
    {
        QCOMPARE(std::round(usefulShareExponential(8) * 1000), 368.0);
        QCOMPARE(std::round(usefulShareExponential(32) * 1000), 246.0);
        QCOMPARE(std::round(usefulShareExponential(128) * 1000), 184.0);
        QCOMPARE(usefulShareExponential(1), 1.0);
    }

    void wholeTokensComeNearTheExponential()
    {
        for (const std::int64_t batch : {8, 32, 128}) {
            const double whole = usefulShare(lengthsOf("exponential:2000"), batch);
            QVERIFY(std::abs(whole / usefulShareExponential(batch) - 1) < 1e-3);
        }
    }

    void sharesByHand()
    {
        QCOMPARE(usefulShare(lengthsOf("fixed:77"), 64), 1.0);
        // The longer of two dice: 161/36.
        QVERIFY(std::abs(usefulShare(lengthsOf("uniform:1,6"), 2) - 3.5 / (161.0 / 36)) < 1e-12);
    }

    void sampledBatchesHaveTheShare_data()
    {
        QTest::addColumn<QString>("output");
        QTest::newRow("exponential") << "exponential:211";
        QTest::newRow("lognormal") << "lognormal:300,900";
        QTest::newRow("uniform") << "uniform:1,512";
        QTest::newRow("cut Pareto") << "pareto:200,1.5,4096";
    }
    void sampledBatchesHaveTheShare()
    {
        QFETCH(QString, output);
        const LengthDistribution lengths = lengthsOf(output);
        std::mt19937_64 random(9);
        std::uniform_real_distribution<double> uniform(1e-16, 1);
        for (const int batch : {2, 16, 64}) {
            double useful = 0;
            double held = 0;
            for (int i = 0; i < 400000 / batch; ++i) {
                double longest = 0;
                for (int member = 0; member < batch; ++member) {
                    const double length = lengths.quantile(uniform(random));
                    useful += length;
                    longest = std::max(longest, length);
                }
                held += batch * longest;
            }
            const double share = usefulShare(lengths, batch);
            QVERIFY2(std::abs(share / (useful / held) - 1) < 0.015,
                qPrintable(QString("%1: %2, sampled %3").arg(batch).arg(share).arg(useful / held)));
        }
    }
};

QTEST_APPLESS_MAIN(TestStaticBatch)
#include "tst_static_batch.moc"
