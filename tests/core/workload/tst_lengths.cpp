// SPDX-License-Identifier: GPL-3.0-or-later
#include "given_lengths.h"

#include <QTemporaryFile>
#include <QTest>

#include <cmath>
#include <random>

using namespace kvplan;

namespace {

bool near(double a, double b, double relative)
{
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

/// Rows of every distribution whose tail ends soon enough to be summed token by token.
void addLaws()
{
    QTest::addColumn<QString>("text");
    for (const char* text :
        {"fixed:1", "fixed:128", "uniform:1,1", "uniform:3,17", "uniform:1000,3000", "exponential:1", "exponential:1.5",
            "exponential:256", "lognormal:1155,3500", "lognormal:1155,1156", "lognormal:2,5", "lognormal:100,300",
            "lognormal-median:500,900", "lognormal-median:1,3", "pareto:200,3,4096", "pareto:100,2,5000",
            "pareto:300,1.5,20000", "pareto:1,2,50", "pareto:5000,40,9000"}) {
        QTest::newRow(text) << QString(text);
    }
}

QString fileOf(QTemporaryFile& file, const char* text)
{
    file.open();
    file.write(text);
    file.close();
    return "empirical:" + file.fileName();
}

} // namespace

class TestLengths : public QObject {
    Q_OBJECT

private slots:
    void momentsAreTheSumsOfTheTail_data() { addLaws(); }
    void momentsAreTheSumsOfTheTail()
    {
        QFETCH(QString, text);
        const LengthDistribution lengths = lengthsOf(text);
        double mean = 0;
        double square = 0;
        for (double j = 0; j < 2e6; ++j) {
            const double left = lengths.survival(j);
            if (left < 1e-16) {
                break;
            }
            mean += left;
            square += (2 * j + 1) * left;
        }
        QVERIFY2(near(lengths.mean(), mean, 1e-9), qPrintable(QString("%1 %2").arg(lengths.mean()).arg(mean)));
        QVERIFY2(near(lengths.secondMoment(), square, 1e-7),
            qPrintable(QString("%1 %2").arg(lengths.secondMoment()).arg(square)));
    }

    void limitedMomentsAreSumsUpToTheLimit_data() { addLaws(); }
    void limitedMomentsAreSumsUpToTheLimit()
    {
        QFETCH(QString, text);
        const LengthDistribution lengths = lengthsOf(text);
        double mean = 0;
        double square = 0;
        for (double j = 0; j < 30000; ++j) {
            QVERIFY2(near(lengths.limitedMean(j), mean, 1e-10), qPrintable(QString::number(j)));
            QVERIFY2(near(lengths.limitedSquare(j), square, 1e-9), qPrintable(QString::number(j)));
            mean += lengths.survival(j);
            square += (2 * j + 1) * lengths.survival(j);
        }
    }

    void tailsFallFromOneAndQuantilesInvertThem_data() { addLaws(); }
    void tailsFallFromOneAndQuantilesInvertThem()
    {
        QFETCH(QString, text);
        const LengthDistribution lengths = lengthsOf(text);
        QCOMPARE(lengths.survival(0), 1.0);
        QVERIFY(lengths.shortest() >= 1);
        QVERIFY(lengths.survival(lengths.shortest() - 1) > 1 - 1e-15);
        QVERIFY(lengths.survival(lengths.longest()) <= 1.1e-7);
        double before = 1;
        for (double j = 1; j < 10000; ++j) {
            QVERIFY(lengths.survival(j) <= before);
            before = lengths.survival(j);
        }
        for (int i = 1; i < 1000; ++i) {
            const double p = i / 1000.0;
            const double q = lengths.quantile(p);
            QCOMPARE(q, std::floor(q));
            QVERIFY(q >= 1);
            QVERIFY2(1 - lengths.survival(q) >= p - 1e-12, qPrintable(QString("p %1 q %2").arg(p).arg(q)));
            QVERIFY2(1 - lengths.survival(q - 1) < p + 1e-12, qPrintable(QString("p %1 q %2").arg(p).arg(q)));
        }
    }

    void lengthsComeOutAsAsked_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("median");
        QTest::addColumn<double>("p95");
        QTest::newRow("fixed") << "fixed:128" << 128.0 << 128.0 << 128.0;
        QTest::newRow("uniform") << "uniform:1,100" << 50.5 << 50.0 << 95.0;
        QTest::newRow("exponential: ln 2 and ln 20 of the mean") << "exponential:1000" << 1000.0 << 693.0 << 2995.0;
        QTest::newRow("lognormal by its mean") << "lognormal:1155,3500" << 1155.0 << 738.0 << 3500.0;
        QTest::newRow("lognormal by its median: σ = ln 3 / 1.645")
            << "lognormal-median:1000,3000" << 1000 * std::exp(0.5 * std::pow(std::log(3) / 1.6448536, 2)) << 1000.0
            << 3000.0;
        QTest::newRow("lognormal without spread") << "lognormal:700,700" << 700.0 << 700.0 << 700.0;
        QTest::newRow("Pareto: scale 150") << "pareto:300,2" << 300.0 << 212.0 << 671.0;
        QTest::newRow("Pareto cut at 400: E[min(X, 400)] = 300 − 150²/400")
            << "pareto:300,2,400" << 243.75 << 212.0 << 400.0;
    }
    void lengthsComeOutAsAsked()
    {
        QFETCH(QString, text);
        QFETCH(double, mean);
        QFETCH(double, median);
        QFETCH(double, p95);
        const LengthDistribution lengths = lengthsOf(text);
        QVERIFY2(std::abs(lengths.mean() - mean) < 0.01, qPrintable(QString::number(lengths.mean(), 'g', 12)));
        QCOMPARE(lengths.quantile(0.5), median);
        QCOMPARE(lengths.quantile(0.95), p95);
        QCOMPARE(lengths.text(), text.toStdString());
    }

    void anExponentialIsGeometric()
    {
        const LengthDistribution lengths = lengthsOf("exponential:256");
        QCOMPARE(lengths.mean(), 256.0);
        QCOMPARE(lengths.secondMoment(), 256.0 * 511);
        QVERIFY(near(lengths.survival(100), std::pow(255.0 / 256, 100), 1e-12));
    }

    void anUncutParetoMayHaveNoSecondMoment()
    {
        QVERIFY(std::isinf(lengthsOf("pareto:300,2").secondMoment()));
        QVERIFY(std::isinf(lengthsOf("pareto:300,1.5").secondMoment()));
        QVERIFY(std::isfinite(lengthsOf("pareto:300,2.1").secondMoment()));
        QVERIFY(std::isfinite(lengthsOf("pareto:300,1.5,1000").secondMoment()));
        QCOMPARE(lengthsOf("pareto:300,2").longest(), std::ceil(150 * std::sqrt(1e7) - 0.5));
    }

    void drawsByQuantileHaveTheMoments_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"uniform:1,9", "exponential:40", "lognormal:1155,3500", "pareto:200,3,4096"}) {
            QTest::newRow(text) << QString(text);
        }
    }
    void drawsByQuantileHaveTheMoments()
    {
        QFETCH(QString, text);
        const LengthDistribution lengths = lengthsOf(text);
        std::mt19937_64 random(11);
        std::uniform_real_distribution<double> uniform(1e-16, 1);
        constexpr int draws = 200000;
        double sum = 0;
        for (int i = 0; i < draws; ++i) {
            sum += lengths.quantile(uniform(random));
        }
        const double deviation = std::sqrt(lengths.secondMoment() - lengths.mean() * lengths.mean());
        QVERIFY(std::abs(sum / draws - lengths.mean()) < 4 * deviation / std::sqrt(draws));
    }

    void lengthsOfAFile()
    {
        QTemporaryFile file;
        const LengthDistribution lengths = lengthsOf(fileOf(file, "32\r\n256\n\n64\n128\n32"));
        QCOMPARE(lengths.mean(), 512.0 / 5);
        QCOMPARE(lengths.secondMoment(), (32.0 * 32 * 2 + 64 * 64 + 128 * 128 + 256 * 256) / 5);
        QCOMPARE(lengths.survival(31), 1.0);
        QCOMPARE(lengths.survival(32), 0.6);
        QCOMPARE(lengths.survival(255), 0.2);
        QCOMPARE(lengths.survival(256), 0.0);
        QCOMPARE(lengths.quantile(0.4), 32.0);
        QCOMPARE(lengths.quantile(0.41), 64.0);
        QCOMPARE(lengths.quantile(0.6), 64.0);
        QCOMPARE(lengths.quantile(0.999), 256.0);
        QCOMPARE(lengths.shortest(), 32.0);
        QCOMPARE(lengths.longest(), 256.0);
        QCOMPARE(lengths.limitedMean(100), (32 + 32 + 64 + 100 + 100) / 5.0);
        QCOMPARE(lengths.limitedSquare(100), (32 * 32 * 2 + 64 * 64 + 100 * 100 * 2) / 5.0);
    }

    void theLongestOfSeveralByItsDefinition_data()
    {
        addLaws();
        QTest::newRow("file") << QString("file");
    }
    void theLongestOfSeveralByItsDefinition()
    {
        QFETCH(QString, text);
        QTemporaryFile file;
        const LengthDistribution lengths = lengthsOf(text == "file" ? fileOf(file, "5\n9\n9\n700\n10000\n") : text);
        for (const std::int64_t draws : {1, 2, 8, 32, 128}) {
            double sum = 0;
            for (double j = 0; j < 2e6; ++j) {
                const double left = lengths.survival(j);
                sum += 1 - std::pow(1 - left, static_cast<double>(draws));
                if (left < 1e-15) {
                    break;
                }
            }
            QVERIFY2(near(lengths.meanOfLongest(draws), sum, 2e-5),
                qPrintable(QString("%1: %2 %3").arg(draws).arg(lengths.meanOfLongest(draws)).arg(sum)));
        }
    }

    void copiesAreEqualByTheirText()
    {
        const LengthDistribution one = lengthsOf("exponential:5");
        const LengthDistribution copy = one;
        QVERIFY(copy == one);
        QVERIFY(!(lengthsOf("exponential:6") == one));
    }
};

QTEST_APPLESS_MAIN(TestLengths)
#include "tst_lengths.moc"
