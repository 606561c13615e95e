// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/admission.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace kvplan;

class TestAdmission : public QObject {
    Q_OBJECT

private slots:
    void percentagesAreExact()
    {
        const Bytes raw(qint64{25769803776});
        QCOMPARE(Percent(10).onTopOf(raw).count(), qint64{28346784154}); // 28,346,784,153.6 rounded up
        QCOMPARE(Percent(15).onTopOf(Bytes(qint64{16} << 30)).count(), qint64{19756849562}); // 18.4 GiB
        QCOMPARE(Percent(25).of(Bytes(qint64{80} << 30)).count(), qint64{20} << 30);
        QCOMPARE(Percent(10).takenOutOf(Bytes(110)).count(), qint64{100});
        QCOMPARE(Percent(0).onTopOf(raw), raw);
        QVERIFY_THROWS_EXCEPTION(OverflowError, Percent(1000).onTopOf(Bytes(qint64{1} << 62)));
    }

    void aCountFitsExactlyWhenItsBytesDo()
    {
        std::mt19937_64 random(3);
        for (int round = 0; round < 2000; ++round) {
            const qint64 sequence = 1 + static_cast<qint64>(random() % 1000);
            const qint64 shared = static_cast<qint64>(random() % static_cast<quint64>(sequence));
            const qint64 tenants = 1 + static_cast<qint64>(random() % 8);
            const qint64 pool = static_cast<qint64>(random() % 20000);
            // Count up one sequence at a time: the reference.
            qint64 fitting = 0;
            const auto need = [&](qint64 n) { return bytesOf(n, Bytes(sequence), Bytes(shared), tenants).count(); };
            while (need(fitting + 1) <= pool) {
                ++fitting;
            }
            const Admission admission = admit(Bytes(pool), Bytes(sequence), Bytes(shared), tenants);
            QCOMPARE(admission.whole, fitting);
            QVERIFY(admission.real >= static_cast<double>(fitting) - 1e-9);
            QVERIFY(admission.real < static_cast<double>(fitting) + 1 + 1e-9);
        }
    }

    void nothingFitsInNothing()
    {
        for (const qint64 pool : {qint64{0}, qint64{-5}}) {
            QCOMPARE(admit(Bytes(pool), Bytes(10), Bytes(0), 1).whole, qint64{0});
            QCOMPARE(admit(Bytes(pool), Bytes(10), Bytes(0), 1).real, 0.0);
        }
    }
};

QTEST_APPLESS_MAIN(TestAdmission)
#include "tst_admission.moc"
