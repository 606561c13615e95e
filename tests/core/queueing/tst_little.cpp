// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/queueing/little.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace kvplan;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double open = -1e300; ///< stands for "not given" in a row

std::optional<double> given(double value)
{
    return value == open ? std::nullopt : std::optional(value);
}

} // namespace

class TestLittle : public QObject {
    Q_OBJECT

private slots:
    void anyTwoGiveTheThird_data()
    {
        QTest::addColumn<double>("inSystem");
        QTest::addColumn<double>("rate");
        QTest::addColumn<double>("time");
        QTest::newRow("number") << open << 4.0 << 6.0;
        QTest::newRow("rate") << 24.0 << open << 6.0;
        QTest::newRow("time") << 24.0 << 4.0 << open;
        QTest::newRow("all three agree") << 24.0 << 4.0 << 6.0;
    }
    void anyTwoGiveTheThird()
    {
        QFETCH(double, inSystem);
        QFETCH(double, rate);
        QFETCH(double, time);
        const auto little = littlesLaw(given(inSystem), given(rate), given(time));
        QVERIFY(little);
        QCOMPARE(little->inSystem, 24.0);
        QCOMPARE(little->ratePerSecond, 4.0);
        QCOMPARE(little->timeSeconds, 6.0);
    }

    void anIdleSystem()
    {
        QCOMPARE(littlesLaw(0.0, 3.0, {})->timeSeconds, 0.0);
        QCOMPARE(littlesLaw({}, 0.0, 5.0)->inSystem, 0.0);
    }

    void whatCannotBeIsRefused_data()
    {
        QTest::addColumn<double>("inSystem");
        QTest::addColumn<double>("rate");
        QTest::addColumn<double>("time");
        QTest::addColumn<QString>("reason");
        QTest::newRow("nothing given") << open << open << open << "fewer than two";
        QTest::newRow("one given") << open << 4.0 << open << "fewer than two";
        QTest::newRow("three that disagree") << 25.0 << 4.0 << 6.0 << "25 in the system is not 4 a second times 6 s";
        QTest::newRow("negative") << -1.0 << 4.0 << open << "-1";
        QTest::newRow("infinite") << open << infinity << 1.0 << "inf";
        QTest::newRow("NaN") << open << 1.0 << std::nan("") << "nan";
        QTest::newRow("a rate of 0 leaves the time open") << 3.0 << 0.0 << open << "a rate of 0";
        QTest::newRow("a time of 0 leaves the rate open") << 3.0 << open << 0.0 << "a time of 0";
    }
    void whatCannotBeIsRefused()
    {
        QFETCH(double, inSystem);
        QFETCH(double, rate);
        QFETCH(double, time);
        QFETCH(QString, reason);
        const auto little = littlesLaw(given(inSystem), given(rate), given(time));
        QVERIFY(!little);
        const QString sentence = QString::fromStdString(little.error().sentence());
        QVERIFY2(sentence.contains(reason), qPrintable(sentence));
    }
};

QTEST_APPLESS_MAIN(TestLittle)
#include "tst_little.moc"
