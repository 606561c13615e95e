// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measure_view.h"
#include "ui/words/verdict.h"

#include <QTest>

using namespace kvplan;

namespace {

Measurement example()
{
    Measurement m;
    m.predictedBytes = Bytes(std::int64_t{256} << 20);
    m.deviceUsedBytes = Bytes((std::int64_t{256} << 20) + 4096);
    m.memoryRelativeError = 4096.0 / (256 << 20);
    m.memory = {{"pool", Bytes(std::int64_t{256} << 20), Bytes(std::int64_t{256} << 20)},
        {"block tables", Bytes(1 << 20), Bytes(3 << 19)}, {"threads", std::nullopt, Bytes(1 << 20)}};
    m.stepSeconds = {0.010, 0.009, 0.012};
    m.stepSamples = {0.009, 0.010, 0.012};
    m.readBytesPerSecond = 20e9;
    m.copyBytesPerSecond = 10e9;
    m.bandwidthBytesPerSecond = 15e9;
    m.fractionOfRead = 0.75;
    m.predictedStepSeconds = 0.0098;
    m.predictedMaxStepSeconds = 0.008;
    m.checkReference = "double precision";
    m.checkRelativeError = 3.2e-7;
    m.checkTolerance = 2e-5;
    m.checkPassed = true;
    m.sequencesChecked = 4;
    m.request.sequences = 4;
    m.layersResident = 3;
    m.layersTotal = 32;
    return m;
}

} // namespace

class TestMeasureView : public QObject {
    Q_OBJECT

private slots:
    void memoryStandsLineByLine()
    {
        const FactTable table = memoryTable(example());
        QCOMPARE(table.rows.size(), std::size_t{4});
        QCOMPARE(table.rows[0].cells, QStringList({"Pool", "256.00", "256.00", "0"}));
        QCOMPARE(table.rows[1].cells, QStringList({"Block tables", "1.00", "1.50", "+0.5"}));
        QCOMPARE(table.rows[2].cells, QStringList({"Threads", "–", "1.00", ""}));
        QVERIFY(table.rows[3].total);
        QCOMPARE(table.rows[3].cells.last(), QStringLiteral("+0.0015 %"));
    }

    void barsAreSharesOfTheFastest()
    {
        const auto bars = bandwidthBars(example());
        QCOMPARE(bars.size(), std::size_t{3});
        QVERIFY(bars[0].chosen);
        QCOMPARE(bars[0].share, 0.75);
        QCOMPARE(bars[0].value, QStringLiteral("15.0 GB/s · 75 %"));
        QCOMPARE(bars[1].share, 1.0);
        QCOMPARE(bars[2].share, 0.5);
    }

    void timesAreMilliseconds()
    {
        const StepTimes times = stepTimes(example());
        QCOMPARE(times.medianMs, 10.0);
        QCOMPARE(times.samplesMs.size(), std::size_t{3});
        QCOMPARE(times.additiveMs, 9.8);
        QCOMPARE(times.classicMs, 8.0);
    }

    void aFailedCheckIsMarked()
    {
        Measurement m = example();
        m.checkPassed = false;
        const FactTable table = checkTable(m);
        QVERIFY(table.rows.front().breach);
        QCOMPARE(table.rows.front().cells.last(), QStringLiteral("3.2 · 10⁻⁷"));
        QVERIFY(measureVerdict(m).state == VerdictState::Bad);
    }

    void theVerdictSaysWhatHolds()
    {
        const Verdict good = measureVerdict(example());
        QVERIFY(good.state == VerdictState::Good);
        QCOMPARE(good.word, QStringLiteral("Real matches predicted."));
        QVERIFY(good.text.contains(QStringLiteral("step time 2 % above the prediction, numbers right")));
        QVERIFY(good.detail.contains(QStringLiteral("3 of 32 layers")));

        Measurement slow = example();
        slow.stepSeconds.median = 0.02;
        QCOMPARE(measureVerdict(slow).word, QStringLiteral("Memory as predicted."));

        Measurement more = example();
        more.deviceUsedBytes = Bytes(std::int64_t{300} << 20);
        QVERIFY(measureVerdict(more).state == VerdictState::Bad);

        Measurement unchecked = example();
        unchecked.checkReference.clear();
        unchecked.checkPassed = false;
        QVERIFY(measureVerdict(unchecked).state == VerdictState::Good);
        QVERIFY(measureVerdict(unchecked).text.contains(QStringLiteral("not checked")));
    }

    void timesAndRatesHaveThreeDigits_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("seconds") << 2.345 << "2.35 s";
        QTest::newRow("milliseconds") << 0.0453 << "45.3 ms";
        QTest::newRow("microseconds") << 61e-6 << "61.0 µs";
        QTest::newRow("nothing") << 0.0 << "0.00 ns";
    }
    void timesAndRatesHaveThreeDigits()
    {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(timeText(seconds), text);
        QCOMPARE(rateText(4.31e12), QStringLiteral("4.31 TB/s"));
    }
};

QTEST_APPLESS_MAIN(TestMeasureView)
#include "tst_measure_view.moc"
