// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/numbers.h"

#include <QTest>

#include <limits>

using namespace kvplan;

class TestNumbers : public QObject {
    Q_OBJECT

private slots:
    void threeSignificantDigits_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0.0 << "0";
        QTest::newRow("whole") << 54.0 << "54";
        QTest::newRow("whole and large") << 131072.0 << "131,072";
        QTest::newRow("a tenth") << 26.4 << "26.4";
        QTest::newRow("a share") << 0.36794 << "0.368";
        QTest::newRow("thousands") << 1234.4 << "1,234";
        QTest::newRow("negative") << -60.04 << "-60.0";
        QTest::newRow("infinite") << std::numeric_limits<double>::infinity() << "–";
    }
    void threeSignificantDigits()
    {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(significant(value), text);
    }

    void binaryThousandsAsTheFieldCounts()
    {
        QCOMPARE(binaryThousands(512), QStringLiteral("512"));
        QCOMPARE(binaryThousands(1024), QStringLiteral("1k"));
        QCOMPARE(binaryThousands(131072), QStringLiteral("128k"));
        QCOMPARE(binaryThousands(1048576), QStringLiteral("1M"));
        QCOMPARE(binaryThousands(0.125), QStringLiteral("0.125"));
        QCOMPARE(binaryThousands(0.25), QStringLiteral("0.25"));
    }

    void powersOfTwoInclusive()
    {
        const auto ticks = powerOfTwoTicks(1024, 131072);
        QCOMPARE(ticks.size(), std::size_t{8});
        QCOMPARE(ticks.front().text, QStringLiteral("1k"));
        QCOMPARE(ticks.back().text, QStringLiteral("128k"));
        const auto sparse = powerOfTwoTicks(1, 256, 2);
        QCOMPARE(sparse[1].text, QString());
        QCOMPARE(sparse[2].text, QStringLiteral("4"));
    }

    void linearTicksAreRoundAndFew_data()
    {
        QTest::addColumn<double>("high");
        for (const double high : {0.007, 1.0, 3.3, 89.6, 80.0, 1234567.0}) {
            QTest::addRow("%g", high) << high;
        }
    }
    void linearTicksAreRoundAndFew()
    {
        QFETCH(double, high);
        const auto ticks = linearTicks(high);
        QVERIFY(ticks.size() >= 3 && ticks.size() <= 9);
        QCOMPARE(ticks.front().at, 0.0);
        QVERIFY(ticks.back().at <= high * (1 + 1e-9));
        QVERIFY(ticks.back().at > 0.6 * high);
    }

    void gibKeepsWhatIsSmall()
    {
        QCOMPARE(gibNumber(bytesFromGib(26.4)), QStringLiteral("26.4"));
        QCOMPARE(gibNumber(Bytes(0)), QStringLiteral("0.0"));
        QCOMPARE(gibNumber(Bytes(bytesPerGib / 100)), QStringLiteral("0.01"));
    }
};

QTEST_APPLESS_MAIN(TestNumbers)
#include "tst_numbers.moc"
