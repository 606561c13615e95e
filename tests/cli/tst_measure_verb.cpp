// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/command.h"

#include <QProcess>
#include <QTest>

#include <csignal>

using namespace kvplan::testing;

namespace {

const QStringList small{"measure", "--device", "cpu", "--layers", "2", "--query-heads", "4", "--kv-heads", "2",
    "--head-dim", "64", "--context", "300", "--concurrency", "3", "--steps", "20"};

} // namespace

class TestMeasureVerb : public QObject {
    Q_OBJECT

private slots:
    void everyKeyOfTheContractIsThere_data()
    {
        QTest::addColumn<QString>("keys");
        QTest::newRow("device") << "name kind memory_bytes copy_bytes_per_s read_bytes_per_s fma_flops_per_s";
        QTest::newRow("memory") << "predicted_bytes allocated_bytes device_used_bytes relative_error lines";
        QTest::newRow("memory.lines.0") << "name predicted_bytes measured_bytes";
        QTest::newRow("decode") << "step_s kv_bytes_per_step flops_per_step bandwidth_bytes_per_s fraction_of_read "
                                   "kernel_flops_per_s predicted_step_s predicted_max_step_s";
        QTest::newRow("decode.step_s") << "median p10 p90";
        QTest::newRow("check") << "reference relative_error tolerance passed";
    }
    void everyKeyOfTheContractIsThere()
    {
        QFETCH(QString, keys);
        const QJsonObject& root = measured();
        const QJsonObject found = at(root, QTest::currentDataTag()).toObject();
        for (const QString& key : keys.split(' ')) {
            QVERIFY2(found.contains(key), qPrintable(key));
        }
        QVERIFY(root.contains("shape"));
        QCOMPARE(root.value("layers_resident").toInteger(), 2);
    }

    void theKernelIsRight() { QCOMPARE(at(measured(), "check.passed").toBool(), true); }

    void withoutTheCheckNothingIsClaimed()
    {
        const QJsonObject root = json(small + QStringList{"--no-verify"});
        QVERIFY(!at(root, "check.passed").toBool());
    }

    void fewerLayersMayBeHeld()
    {
        QCOMPARE(json(small + QStringList{"--layers-resident", "1"}).value("layers_resident").toInteger(), 1);
    }

    void textSaysWhatHappened()
    {
        const Ended ended = run(small);
        QCOMPARE(ended.exitCode, 0);
        QCOMPARE(ended.error, QByteArray());
        for (const char* part :
            {"all 2 layers", "3 sequences of 300 tokens", "Memory", "predicted, additive", "passed"}) {
            QVERIFY2(ended.out.contains(part), ended.out.constData());
        }
    }

    void moreThanThereIsIsRefused()
    {
        const Ended ended = run({"measure", "--context", "100000000", "--concurrency", "1000000", "--layers", "1"});
        verifyRefused(ended);
    }

    void anInterruptEndsItCleanly_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("Ctrl-C") << SIGINT << 130;
        QTest::newRow("SIGTERM") << SIGTERM << 143;
    }
    void anInterruptEndsItCleanly()
    {
        QFETCH(int, signal);
        QFETCH(int, exitCode);
        QProcess process;
        process.start(binary(),
            {"measure", "--layers", "2", "--context", "8192", "--concurrency", "4", "--steps", "100000", "--json"});
        QVERIFY(process.waitForStarted());
        // The signals are taken over before anything is allocated; until then the end is the system's own.
        QTest::qWait(1000);
        QCOMPARE(process.state(), QProcess::Running);
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(30000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), exitCode);
        QCOMPARE(process.readAllStandardOutput(), QByteArray());
    }

private:
    const QJsonObject& measured()
    {
        static const QJsonObject root = json(small);
        return root;
    }
};

QTEST_GUILESS_MAIN(TestMeasureVerb)
#include "tst_measure_verb.moc"
