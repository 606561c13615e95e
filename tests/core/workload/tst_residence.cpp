// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/mix.h"
#include "given_lengths.h"

#include <QTemporaryFile>
#include <QTest>

#include <cmath>
#include <map>
#include <random>

using namespace kvplan;

namespace {

Residence residenceOf(const QString& prompt, const QString& output)
{
    const auto residence = Residence::of({lengthsOf(prompt), lengthsOf(output)});
    if (!residence) {
        qFatal("%s", residence.error().sentence().c_str());
    }
    return *residence;
}

/// Weight, mean, variance and third central moment.
struct Moments {
    double weight = 0;
    double mean = 0;
    double variance = 0;
    double third = 0;
};

template <class Points> Moments momentsOf(const Points& points)
{
    Moments m;
    for (const auto& [value, weight] : points) {
        m.weight += weight;
        m.mean += weight * value;
    }
    m.mean /= m.weight;
    for (const auto& [value, weight] : points) {
        m.variance += weight / m.weight * std::pow(value - m.mean, 2);
        m.third += weight / m.weight * std::pow(value - m.mean, 3);
    }
    return m;
}

/// T by counting: every prompt, every output, every step of it.
std::map<double, double> counted(const LengthDistribution& prompt, const LengthDistribution& output)
{
    std::map<double, double> contexts;
    for (double p = 1; p <= prompt.longest(); ++p) {
        const double chanceOfPrompt = prompt.survival(p - 1) - prompt.survival(p);
        if (chanceOfPrompt <= 0) {
            continue;
        }
        for (double o = 2; o <= output.longest(); ++o) {
            const double chance = chanceOfPrompt * (output.survival(o - 1) - output.survival(o));
            for (double cached = 1; chance > 0 && cached < o; ++cached) {
                contexts[p + cached] += chance;
            }
        }
    }
    return contexts;
}

} // namespace

class TestResidence : public QObject {
    Q_OBJECT

private slots:
    void theWorkedExample()
    {
        // Prompt 1,024, exponential output of mean 256: E[O(O−1)] / (2E[O−1]) = 2·256·255 / (2·255) = 256.
        QCOMPARE(residenceOf("fixed:1024", "exponential:256").meanTokens(), 1280.0);
    }

    void meansByHand_data()
    {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<QString>("output");
        QTest::addColumn<double>("mean");
        QTest::newRow("fixed: half the output, not (O−1)/2 over all its tokens") << "fixed:100"
                                                                                 << "fixed:51" << 125.5;
        QTest::newRow("two tokens: one step, one cached") << "fixed:10"
                                                          << "fixed:2" << 11.0;
        QTest::newRow("one or three tokens: only the three decode") << "fixed:10"
                                                                    << "uniform:1,3" << 10 + 4.0 / 3;
        QTest::newRow("a long one among short ones weighs by its steps: not the plain mean")
            << "fixed:1000"
            << "file:2 2 2 1002" << 1000 + (3 * 1 + 1001 * 501.0) / 1004;
        QTest::newRow("prompts by their mean") << "uniform:100,300"
                                               << "fixed:11" << 205.5;
    }
    void meansByHand()
    {
        QFETCH(QString, prompt);
        QFETCH(QString, output);
        QFETCH(double, mean);
        QTemporaryFile file;
        if (output.startsWith("file:")) {
            QVERIFY(file.open());
            file.write(output.mid(5).replace(' ', '\n').toUtf8());
            file.close();
            output = "empirical:" + file.fileName();
        }
        const Residence residence = residenceOf(prompt, output);
        QVERIFY2(std::abs(residence.meanTokens() - mean) < 1e-9 * mean,
            qPrintable(QString::number(residence.meanTokens(), 'g', 12)));
        QVERIFY(std::abs(momentsOf(residence.points()).mean - mean) < 1e-9 * mean);
    }

    void pointsKeepTheMomentsOfACount_data()
    {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<QString>("output");
        QTest::newRow("fixed") << "fixed:50"
                               << "fixed:40";
        QTest::newRow("uniform") << "uniform:10,200"
                                 << "uniform:1,90";
        QTest::newRow("narrow and wide") << "uniform:990,1010"
                                         << "uniform:1,400";
        QTest::newRow("exponential outputs") << "uniform:1,3"
                                             << "exponential:20";
        QTest::newRow("exponential both") << "exponential:8"
                                          << "exponential:5";
        QTest::newRow("cut Pareto") << "fixed:7"
                                    << "pareto:30,1.5,600";
        QTest::newRow("few lengths") << "uniform:1,3"
                                     << "uniform:2,5";
    }
    void pointsKeepTheMomentsOfACount()
    {
        QFETCH(QString, prompt);
        QFETCH(QString, output);
        const Residence residence = residenceOf(prompt, output);
        const Moments points = momentsOf(residence.points());
        const Moments truth = momentsOf(counted(lengthsOf(prompt), lengthsOf(output)));
        QVERIFY(std::abs(points.weight - 1) < 1e-12);
        QVERIFY(residence.points().size() <= 1024);
        const auto message = QString("%1 %2, %3 %4, %5 %6")
                                 .arg(points.mean)
                                 .arg(truth.mean)
                                 .arg(points.variance)
                                 .arg(truth.variance)
                                 .arg(points.third)
                                 .arg(truth.third);
        // What lies beyond the longest length of an unbounded law is 10⁻⁷ of it.
        QVERIFY2(std::abs(points.mean - truth.mean) < 1e-4 * truth.mean, qPrintable(message));
        QVERIFY2(std::abs(points.variance - truth.variance) < 1e-3 * truth.variance, qPrintable(message));
        QVERIFY2(std::abs(points.third - truth.third) < 5e-3 * std::pow(truth.variance, 1.5), qPrintable(message));
        for (const WeightedValue& point : residence.points()) {
            QVERIFY(point.weight > 0);
            QVERIFY(point.value >= 2);
        }
    }

    void sampledStepsMeetTheMean_data()
    {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<QString>("output");
        QTest::newRow("chat") << "lognormal:1155,3500"
                              << "exponential:211";
        QTest::newRow("uniform outputs") << "lognormal-median:500,4000"
                                         << "uniform:1,1000";
        QTest::newRow("lognormal both") << "lognormal:800,2000"
                                        << "lognormal:300,900";
    }
    void sampledStepsMeetTheMean()
    {
        QFETCH(QString, prompt);
        QFETCH(QString, output);
        const LengthDistribution prompts = lengthsOf(prompt);
        const LengthDistribution outputs = lengthsOf(output);
        std::mt19937_64 random(5);
        std::uniform_real_distribution<double> uniform(1e-16, 1);
        double tokenSteps = 0;
        double steps = 0;
        double plain = 0;
        constexpr int requests = 400000;
        for (int i = 0; i < requests; ++i) {
            const double p = prompts.quantile(uniform(random));
            const double o = outputs.quantile(uniform(random));
            steps += o - 1;
            tokenSteps += p * (o - 1) + o * (o - 1) / 2;
            plain += (p + o / 2) / requests;
        }
        const double mean = residenceOf(prompt, output).meanTokens();
        QVERIFY2(std::abs(mean / (tokenSteps / steps) - 1) < 0.01,
            qPrintable(QString("%1 %2").arg(mean).arg(tokenSteps / steps)));
        QVERIFY(mean > 1.02 * plain); // the plain mean would not do
    }

    void outputsOfOneTokenHoldTheirPrompt()
    {
        const Residence residence = residenceOf("fixed:640", "fixed:1");
        QCOMPARE(residence.meanTokens(), 640.0);
        QCOMPARE(residence.points().size(), std::size_t{1});
    }

    void aDivergingMeanIsRefused()
    {
        const auto residence = Residence::of({lengthsOf("fixed:100"), lengthsOf("pareto:200,1.8")});
        QVERIFY(!residence);
        QVERIFY(QString::fromStdString(residence.error().sentence()).contains("second moment is infinite"));
        QVERIFY(Residence::of({lengthsOf("fixed:100"), lengthsOf("pareto:200,1.8,30000")}));
        QVERIFY(Residence::of({lengthsOf("pareto:200,1.8"), lengthsOf("fixed:100")}));
    }
};

QTEST_APPLESS_MAIN(TestResidence)
#include "tst_residence.moc"
