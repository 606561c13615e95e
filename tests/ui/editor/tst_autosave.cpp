// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/autosave.h"
#include "ui/editor/recent_files.h"
#include "ui/editor/scenario_editor.h"

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

using namespace kvplan;

class TestAutosave : public QObject {
    Q_OBJECT

private slots:
    void unsavedWorkIsWrittenAMomentLater()
    {
        const QTemporaryDir folder;
        ScenarioEditor editor;
        const Autosave autosave(editor, folder.path());
        QVERIFY(editor.setNumber(Field::Context, 4096));
        QTRY_VERIFY(QFile::exists(autosave.path()));
        QCOMPARE(loadScenario(autosave.path().toStdString())->scenario.contextTokens, std::int64_t{4096});
    }

    void nothingIsKeptOfASavedScenario()
    {
        const QTemporaryDir folder;
        ScenarioEditor editor;
        Autosave autosave(editor, folder.path());
        QVERIFY(editor.setNumber(Field::Context, 4096));
        autosave.flush();
        QVERIFY(QFile::exists(autosave.path()));
        editor.setSaved();
        QVERIFY(!QFile::exists(autosave.path()));
    }

    void aCrashLeavesWorkThatTheNextRunFinds()
    {
        const QTemporaryDir folder;
        {
            ScenarioEditor editor;
            Autosave crashed(editor, folder.path());
            QVERIFY(editor.setNumber(Field::Context, 4096));
            crashed.flush();
        }
        ScenarioEditor editor;
        Autosave autosave(editor, folder.path());
        const auto leftover = autosave.takeLeftover();
        QVERIFY(leftover);
        QCOMPARE(leftover->document.scenario.contextTokens, std::int64_t{4096});

        // It stays on disk until this run has a copy of its own.
        Autosave other(editor, folder.path());
        QVERIFY(other.takeLeftover());
        editor.replace(leftover->document.scenario, QStringLiteral("restored work"));
        autosave.flush();
        autosave.discard();
        QVERIFY(!Autosave(editor, folder.path()).takeLeftover());
    }

    void anotherWindowsWorkIsLeftAlone()
    {
        const QTemporaryDir folder;
        ScenarioEditor first;
        Autosave open(first, folder.path());
        QVERIFY(first.setNumber(Field::Context, 4096));
        open.flush();
        ScenarioEditor second;
        QVERIFY(!Autosave(second, folder.path()).takeLeftover());
        QVERIFY(QFile::exists(open.path()));
    }

    void aBrokenLeftoverIsDropped()
    {
        const QTemporaryDir folder;
        QFile broken(folder.filePath(QStringLiteral("autosave-0.json")));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{\"schema\": \"kvpl");
        broken.close();
        ScenarioEditor editor;
        QVERIFY(!Autosave(editor, folder.path()).takeLeftover());
        QVERIFY(!broken.exists());
    }

    void recentFilesAreNewestFirstAndFew()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
        RecentFiles recent(settings);
        for (int i = 0; i < 12; ++i) {
            recent.add(QStringLiteral("/tmp/%1.kvplan").arg(i));
        }
        recent.add(QStringLiteral("/tmp/8.kvplan"));
        QCOMPARE(recent.paths().size(), RecentFiles::maximum);
        QCOMPARE(recent.paths().first(), QStringLiteral("/tmp/8.kvplan"));
        QCOMPARE(recent.paths().count(QStringLiteral("/tmp/8.kvplan")), 1);
        QCOMPARE(RecentFiles(settings).paths(), recent.paths());
        recent.remove(QStringLiteral("/tmp/8.kvplan"));
        QVERIFY(!RecentFiles(settings).paths().contains(QStringLiteral("/tmp/8.kvplan")));
    }
};

QTEST_MAIN(TestAutosave)
#include "tst_autosave.moc"
