// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/mix.h"
#include "given_lengths.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace kvplan;

namespace {

using Values = std::vector<WeightedValue>;

/// P(sum of B > pool) for B = 0 … most, by convolving whole numbers one by one.
std::vector<double> convolved(const Values& values, std::int64_t most, std::int64_t pool)
{
    std::vector<double> sum(static_cast<std::size_t>(pool) + 1, 0.0);
    sum[0] = 1;
    std::vector<double> tails{0};
    while (static_cast<std::int64_t>(tails.size()) <= most) {
        std::vector<double> next(sum.size(), 0.0);
        for (const WeightedValue& v : values) {
            const auto shift = static_cast<std::size_t>(v.value);
            for (std::size_t s = 0; s + shift < sum.size(); ++s) {
                next[s + shift] += sum[s] * v.weight;
            }
        }
        sum = std::move(next);
        double fits = 0;
        for (const double p : sum) {
            fits += p;
        }
        tails.push_back(1 - fits);
    }
    return tails;
}

Values uniformValues(std::int64_t low, std::int64_t high)
{
    Values values;
    for (std::int64_t v = low; v <= high; ++v) {
        values.push_back({static_cast<double>(v), 1.0 / static_cast<double>(high - low + 1)});
    }
    return values;
}

/// On 1, 2, …, with what lies beyond `longest` put there.
Values geometricValues(double mean, int longest)
{
    Values values;
    double left = 1;
    for (int v = 1; v < longest; ++v) {
        values.push_back({static_cast<double>(v), left / mean});
        left *= 1 - 1 / mean;
    }
    values.push_back({static_cast<double>(longest), left});
    return values;
}

Values named(const QString& name)
{
    if (name == "die") {
        return uniformValues(1, 6);
    }
    if (name == "wide") {
        return uniformValues(50, 250);
    }
    if (name == "two values") {
        return {{3, 0.9}, {40, 0.1}};
    }
    if (name == "rare giant") {
        return {{10, 0.995}, {400, 0.005}};
    }
    return name == "short geometric" ? geometricValues(4, 60) : geometricValues(40, 600);
}

double meanOf(const Values& values)
{
    double mean = 0;
    for (const WeightedValue& v : values) {
        mean += v.value * v.weight;
    }
    return mean;
}

} // namespace

class TestConfidence : public QObject {
    Q_OBJECT

private slots:
    void tailsAgreeWithAConvolution_data()
    {
        QTest::addColumn<QString>("values");
        QTest::addColumn<int>("pool");
        QTest::addColumn<double>("tolerance"); // on the probability
        for (const QString name : {"die", "wide", "two values", "rare giant", "geometric"}) {
            const auto row = [&](int pool, double tolerance, const char* how) {
                QTest::newRow(qPrintable(QString("%1 in %2, %3").arg(name).arg(pool).arg(how)))
                    << name << pool << tolerance;
            };
            row(60, 1e-8, "exact");
            row(500, 1e-8, "exact");
            row(977, 1e-8, "exact");
            row(5005, 0.01, "between lattice steps or near normality");
        }
    }
    void tailsAgreeWithAConvolution()
    {
        QFETCH(QString, values);
        QFETCH(int, pool);
        QFETCH(double, tolerance);
        const Values x = named(values);
        const auto typical = static_cast<std::int64_t>(pool / meanOf(x));
        const auto truth = convolved(x, typical * 11 / 10, pool);
        for (const std::int64_t b :
            {typical * 6 / 10, typical * 8 / 10, typical * 9 / 10, typical, typical * 11 / 10}) {
            const double expected = truth[static_cast<std::size_t>(b)];
            const double found = overflowProbability(x, b, pool);
            QVERIFY2(std::abs(found - expected) <= tolerance,
                qPrintable(QString("B %1: %2, by convolution %3").arg(b).arg(found).arg(expected)));
        }
    }

    /// Whole values scaled off every lattice, and the pool half way between two sums: what a continuous tail must meet.
    void tailsOffTheLatticeAreClose_data()
    {
        QTest::addColumn<QString>("values");
        QTest::addColumn<int>("pool");
        QTest::newRow("few even values") << "wide" << 801;
        QTest::newRow("one or two even values") << "wide" << 230;
        QTest::newRow("few skewed values") << "geometric" << 300;
        QTest::newRow("many skewed values") << "geometric" << 3000;
        QTest::newRow("near normality") << "short geometric" << 1700;
        QTest::newRow("near normality, even") << "wide" << 6000;
    }
    void tailsOffTheLatticeAreClose()
    {
        QFETCH(QString, values);
        QFETCH(int, pool);
        const Values x = named(values);
        Values scaled = x;
        for (WeightedValue& v : scaled) {
            v.value *= std::sqrt(2.0);
        }
        const auto most = static_cast<std::int64_t>(pool / meanOf(x) * 1.2);
        const auto truth = convolved(x, most, pool);
        for (std::int64_t b = most / 2; b <= most; b += std::max<std::int64_t>(1, most / 20)) {
            const double expected = truth[static_cast<std::size_t>(b)];
            const double found = overflowProbability(scaled, b, (pool + 0.5) * std::sqrt(2.0));
            QVERIFY2(std::abs(found - expected) <= 5e-4,
                qPrintable(QString("B %1: %2, by convolution %3").arg(b).arg(found).arg(expected)));
        }
    }

    void theLargestBIsTheConvolutionsOwn_data()
    {
        QTest::addColumn<QString>("values");
        QTest::addColumn<int>("pool");
        for (const QString name : {"die", "wide", "two values", "rare giant", "geometric"}) {
            for (const int pool : {45, 300, 900}) {
                QTest::newRow(qPrintable(QString("%1 in %2").arg(name).arg(pool))) << name << pool;
            }
        }
    }
    void theLargestBIsTheConvolutionsOwn()
    {
        QFETCH(QString, values);
        QFETCH(int, pool);
        const Values x = named(values);
        const auto tails = convolved(x, static_cast<std::int64_t>(3 * pool / meanOf(x)) + 5, pool);
        for (const double confidence : {0.5, 0.9, 0.99, 0.999}) {
            const auto over = std::ranges::find_if(tails, [&](double tail) { return tail > 1 - confidence + 1e-9; });
            const std::int64_t truth = over - tails.begin() - 1;
            const std::int64_t found = sequencesAtConfidence(x, pool, confidence);
            QVERIFY2(found == truth,
                qPrintable(QString("at %1: %2, by convolution %3").arg(confidence).arg(found).arg(truth)));
        }
    }

    void mixesAgreeWithSamples_data()
    {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<QString>("output");
        QTest::addColumn<int>("pools"); // pool ÷ mean residence
        QTest::newRow("a handful of chats") << "lognormal:1155,3500"
                                            << "exponential:211" << 6;
        QTest::newRow("a dozen chats") << "lognormal:1155,3500"
                                       << "exponential:211" << 12;
        QTest::newRow("thirty chats") << "lognormal:1155,3500"
                                      << "exponential:211" << 30;
        QTest::newRow("two hundred chats") << "lognormal:1155,3500"
                                           << "exponential:211" << 200;
        QTest::newRow("even lengths") << "uniform:1,4000"
                                      << "uniform:1,1000" << 50;
        QTest::newRow("one prompt") << "fixed:1024"
                                    << "exponential:256" << 100;
        QTest::newRow("very skewed") << "lognormal-median:100,3000"
                                     << "fixed:100" << 40;
    }
    void mixesAgreeWithSamples()
    {
        QFETCH(QString, prompt);
        QFETCH(QString, output);
        QFETCH(int, pools);
        const LengthDistribution prompts = lengthsOf(prompt);
        const LengthDistribution outputs = lengthsOf(output);
        const auto residence = Residence::of({prompts, outputs});
        const double pool = residence->meanTokens() * pools;

        std::mt19937_64 random(3);
        std::uniform_real_distribution<double> uniform(1e-16, 1);
        std::vector<double> cached; // of the outputs that a step meets: each of its tokens but the last is one step
        for (int i = 0; i < 40000; ++i) {
            const double o = outputs.quantile(uniform(random));
            for (double j = 1; j < o; j += 1 + std::floor(uniform(random) * 20)) {
                cached.push_back(j);
            }
        }
        std::vector<std::int64_t> admitted(pools > 100 ? 4000 : 20000, 0);
        for (std::int64_t& count : admitted) {
            for (double sum = 0;; ++count) {
                sum += prompts.quantile(uniform(random)) + cached[random() % cached.size()];
                if (sum > pool) {
                    break;
                }
            }
        }
        std::ranges::sort(admitted);
        for (const double confidence : {0.9, 0.99}) {
            const auto at = static_cast<std::size_t>((1 - confidence) * static_cast<double>(admitted.size()));
            const std::int64_t sampled = admitted[at];
            const std::int64_t found = sequencesAtConfidence(residence->points(), pool, confidence);
            QVERIFY2(std::abs(found - sampled) <= std::max<std::int64_t>(1, sampled / 50),
                qPrintable(QString("at %1: %2, sampled %3").arg(confidence).arg(found).arg(sampled)));
        }
    }

    void equalValuesAreExact()
    {
        for (const std::int64_t b : {1, 7, 54, 1000000}) {
            QCOMPARE(sequencesAtConfidence({{131072.0, 1.0}}, 131072.0 * static_cast<double>(b), 0.99), b);
            QCOMPARE(
                sequencesAtConfidence({{131072.0, 0.5}, {131072.0, 0.5}}, 131072.0 * static_cast<double>(b) - 1, 0.9),
                b - 1);
        }
        QCOMPARE(overflowProbability({{10, 1}}, 3, 30), 0.0);
        QCOMPARE(overflowProbability({{10, 1}}, 4, 30), 1.0);
    }

    void aMillionSequencesFollowTheNormalLaw()
    {
        const Values x = uniformValues(1, 1000);
        const double mean = 500.5;
        const double deviation = std::sqrt((1e6 - 1) / 12);
        const double pool = mean * 1e6;
        // pool = B·mean + z·σ·√B, z = 2.326348.
        const double half = 2.3263479 * deviation / (2 * mean);
        const double expected = std::pow(std::sqrt(half * half + 1e6) - half, 2);
        const std::int64_t found = sequencesAtConfidence(x, pool, 0.99);
        QVERIFY2(
            std::abs(static_cast<double>(found) - expected) < 5, qPrintable(QString("%1 %2").arg(found).arg(expected)));
    }

    void theTailIsSmoothThroughTheMean()
    {
        // Where the saddlepoint's formula is 0/0. Sums of this law are skewed to the right: at the mean, less than
        // half.
        const Values x = named("geometric");
        double before = 0;
        for (std::int64_t b = 9900; b <= 10100; ++b) {
            const double tail = overflowProbability(x, b, 40 * 10000);
            QVERIFY2(tail > before, qPrintable(QString::number(b)));
            QVERIFY(b == 9900 || tail - before < 0.006);
            before = tail;
        }
        const double atMean = overflowProbability(x, 10000, 40 * 10000);
        QVERIFY(std::abs(atMean - (0.5 - 2.0 / (6 * std::sqrt(2 * 3.14159265) * 100))) < 5e-4);
    }

    void moreConfidenceAdmitsFewer()
    {
        const auto residence = Residence::of({lengthsOf("lognormal:1155,3500"), lengthsOf("exponential:211")});
        std::int64_t before = 1 << 20;
        for (const double confidence : {0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.999999}) {
            const std::int64_t b
                = sequencesAtConfidence(residence->points(), 100 * residence->meanTokens(), confidence);
            QVERIFY(b < before);
            before = b;
        }
    }

    void nothingToDivide()
    {
        QCOMPARE(sequencesAtConfidence({{5, 1}}, 0, 0.99), std::int64_t{0});
        QCOMPARE(sequencesAtConfidence({{0, 1}}, 10, 0.99), std::int64_t{0});
        QCOMPARE(sequencesAtConfidence({{5, 0.5}, {7, 0.5}}, 4, 0.99), std::int64_t{0});
        QCOMPARE(sequencesAtConfidence({{1, 0.5}, {2, 0.5}}, 1e300, 0.99), std::int64_t{1} << 40);
    }
};

QTEST_APPLESS_MAIN(TestConfidence)
#include "tst_confidence.moc"
