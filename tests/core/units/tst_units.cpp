// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/error.h"
#include "core/units.h"

#include <QTest>

#include <limits>

using namespace kvplan;

class TestUnits : public QObject {
    Q_OBJECT

private slots:
    void overflowThrows_data()
    {
        QTest::addColumn<qint64>("a");
        QTest::addColumn<qint64>("b");
        QTest::addColumn<char>("operation");
        const qint64 most = std::numeric_limits<qint64>::max();
        const qint64 least = std::numeric_limits<qint64>::min();
        QTest::newRow("one more than the most") << most << qint64{1} << '+';
        QTest::newRow("one less than the least") << least << qint64{1} << '-';
        QTest::newRow("two large halves") << most / 2 + 1 << qint64{2} << '*';
        QTest::newRow("the least negated") << least << qint64{-1} << '*';
    }
    void overflowThrows()
    {
        QFETCH(qint64, a);
        QFETCH(qint64, b);
        QFETCH(char, operation);
        const auto compute = [&] {
            return operation == '+' ? Bytes(a) + Bytes(b) : operation == '-' ? Bytes(a) - Bytes(b) : Bytes(a) * b;
        };
        QVERIFY_THROWS_EXCEPTION(OverflowError, compute());
    }

    void theEdgeItselfIsExact()
    {
        const qint64 most = std::numeric_limits<qint64>::max();
        QCOMPARE((Bytes(most - 1) + Bytes(1)).count(), most);
        QCOMPARE((Bytes(most / 7) * 7).count(), most / 7 * 7);
    }

    void guardedTurnsOverflowIntoAnError()
    {
        const auto result
            = guarded("the sum", []() -> Result<Bytes> { return Bytes(std::numeric_limits<qint64>::max()) * 2; });
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Overflow);
        QVERIFY(result.error().sentence().starts_with("the sum is larger than 64 bits"));
    }

    void ceilDivideRoundsUp()
    {
        for (qint64 numerator = 0; numerator < 50; ++numerator) {
            for (qint64 denominator = 1; denominator < 12; ++denominator) {
                const qint64 quotient = ceilDivide(numerator, denominator);
                QVERIFY(quotient * denominator >= numerator);
                QVERIFY((quotient - 1) * denominator < numerator);
            }
        }
    }

    void gibIsBinary()
    {
        QCOMPARE(bytesFromGib(1).count(), qint64{1073741824});
        QCOMPARE(gib(Bytes(qint64{64424509440})), 60.0);
        QVERIFY_THROWS_EXCEPTION(OverflowError, bytesFromGib(1e10));
    }

    void anErrorIsOneSentence()
    {
        QCOMPARE(Error({ErrorCode::InvalidValue, "\"x\" is not a number", "context", "give a whole number"}).sentence(),
            std::string("\"x\" is not a number, context; give a whole number"));
        QCOMPARE(Error({ErrorCode::InvalidValue, "it went wrong", "", ""}).sentence(), std::string("it went wrong"));
    }
};

QTEST_APPLESS_MAIN(TestUnits)
#include "tst_units.moc"
