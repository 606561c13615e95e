// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/command.h"

#include <QTest>

using namespace kvplan::testing;

class TestProcess : public QObject {
    Q_OBJECT

private slots:
    void withoutADisplayTheWindowSaysWhatToDo_data()
    {
        QTest::addColumn<QString>("environment");
        QTest::newRow("no display at all") << "env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM";
        QTest::newRow("a display that does not answer") << "env DISPLAY=:4711 QT_QPA_PLATFORM=xcb";
        QTest::newRow("no such platform") << "env QT_QPA_PLATFORM=abacus";
    }
    void withoutADisplayTheWindowSaysWhatToDo()
    {
        QFETCH(QString, environment);
        verifyRefused(shell(environment + " \"$KVPLAN\""));
        verifyRefused(shell(environment + " \"$KVPLAN\" some.kvplan.json"));
    }

    void aVerbNeedsNoDisplay_data()
    {
        QTest::addColumn<QString>("verb");
        for (const char* verb : {"plan", "models", "accelerators", "formats", "plan --help", "--version"}) {
            QTest::newRow(verb) << verb;
        }
    }
    void aVerbNeedsNoDisplay()
    {
        QFETCH(QString, verb);
        const Ended ended = shell("env DISPLAY=:4711 QT_QPA_PLATFORM=xcb \"$KVPLAN\" " + verb);
        QCOMPARE(ended.exitCode, 0);
        QCOMPARE(ended.error, QByteArray());
    }

    void aReaderWhoGoesAwayIsNoError()
    {
        const Ended ended = shell("{ \"$KVPLAN\" models --json; echo $? >&2; } | head -c 10");
        QCOMPARE(ended.error, QByteArray("0\n"));
    }

    void anAnswerThatCannotBeWrittenIsAnError_data()
    {
        QTest::addColumn<QString>("redirection");
        QTest::newRow("a full disk") << ">/dev/full";
        QTest::newRow("standard output closed") << ">&-";
    }
    void anAnswerThatCannotBeWrittenIsAnError()
    {
        QFETCH(QString, redirection);
        for (const char* verb : {"plan", "plan --json", "models", "plan --help"}) {
            verifyRefused(shell(QString("\"$KVPLAN\" %1 %2").arg(verb, redirection)));
        }
    }

    void helpTellsTheVerbs()
    {
        const Ended ended = run({"--help"});
        QCOMPARE(ended.exitCode, 0);
        for (const char* verb : {"plan", "measure", "import", "models", "accelerators", "formats", "render"}) {
            QVERIFY2(ended.out.contains(verb), verb);
            const Ended help = run({verb, "--help"});
            QCOMPARE(help.exitCode, 0);
            QVERIFY2(help.out.contains(QByteArray("kvplan ") + verb), verb);
        }
    }

    void planHelpShowsUnitsRangesAndDefaults()
    {
        const Ended ended = run({"plan", "--help"});
        for (const char* part :
            {"--context N", "1 to 100,000,000 tokens; 8,192 unless", "Parallelism:", "--kv-format"}) {
            QVERIFY2(ended.out.contains(part), part);
        }
    }

    void versionIsOneLine()
    {
        const Ended ended = run({"--version"});
        QCOMPARE(ended.exitCode, 0);
        QVERIFY(ended.out.startsWith("kvplan ") && ended.out.count('\n') == 1);
    }
};

QTEST_GUILESS_MAIN(TestProcess)
#include "tst_process.moc"
