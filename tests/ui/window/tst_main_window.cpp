// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/scenario_editor.h"
#include "ui/measure/measure_tab.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"
#include "ui/window/status_line.h"
#include "ui/window/verdict_band.h"

#include <QAbstractButton>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QStandardPaths>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

using namespace kvplan;

namespace {

QString written(const QTemporaryDir& folder, const QString& name, const QByteArray& text)
{
    QFile file(folder.filePath(name));
    static_cast<void>(file.open(QIODevice::WriteOnly));
    file.write(text);
    return file.fileName();
}

void drop(MainWindow& window, const QString& path)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &event);
}

constexpr auto tinyConfig = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "num_hidden_layers": 4,
    "hidden_size": 512, "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 64, "vocab_size": 1000,
    "intermediate_size": 1024, "max_position_embeddings": 4096, "torch_dtype": "bfloat16"})";

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/kvplan"))
            .removeRecursively();
    }

    void opensOnTheWorkedExample()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const Verdict& verdict = window.verdictBand().verdict();
        QVERIFY(verdict.state == VerdictState::Good);
        QCOMPARE(verdict.word, QStringLiteral("Fits."));
        const QString text = QString(verdict.text).replace(QChar(0xa0), QLatin1Char(' '));
        for (const char* figure : {"54 full sequences", "24.0 GiB", "26.4", "60.0 GiB"}) {
            QVERIFY2(text.contains(QString::fromLatin1(figure)), figure);
        }
        QVERIFY(verdict.detail.contains(QStringLiteral("109 full sequences")));
        QCOMPARE(window.findChild<QTabBar*>()->count(), 2);
        QVERIFY(window.windowTitle().startsWith(QStringLiteral("Untitled[*]")));
        QVERIFY(!window.isWindowModified());
        QVERIFY(window.statusLine().origin().startsWith(QStringLiteral("Estimate")));
        QVERIFY(window.statusLine().time().contains(QStringLiteral("µs")));
    }

    void savesAndOpensTheSameScenario()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chat.kvplan"));
        MainWindow window;
        QVERIFY(window.editor().setNumber(Field::Context, 16384));
        QVERIFY(window.isWindowModified());
        QVERIFY(window.saveAs(path));
        QVERIFY(!window.isWindowModified());
        QVERIFY(window.windowTitle().startsWith(QStringLiteral("chat.kvplan")));
        const Scenario saved = window.editor().scenario();

        MainWindow other;
        QVERIFY(other.openFile(path));
        QVERIFY(other.editor().scenario() == saved);
        QCOMPARE(other.path(), path);
        QVERIFY(!other.isWindowModified());
    }

    void anUnwritablePathSaysSoAndLosesNothing()
    {
        MainWindow window;
        QVERIFY(window.editor().setNumber(Field::Context, 16384));
        QVERIFY(!window.saveAs(QStringLiteral("/nowhere/at/all/chat.kvplan")));
        QCOMPARE(window.messages().texts().size(), 1);
        QVERIFY(window.isWindowModified());
        QCOMPARE(window.editor().scenario().contextTokens, std::int64_t{16384});
    }

    void badFilesSayWhyAndChangeNothing_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << "config.json" << QByteArray();
        QTest::newRow("broken JSON") << "config.json" << QByteArray("{\"num_hidden_layers\": 4,");
        QTest::newRow("an array") << "config.json" << QByteArray("[1, 2]");
        QTest::newRow("no model") << "config.json" << QByteArray("{\"a\": 1}");
        QTest::newRow("binary") << "weights.bin" << QByteArray("\x00\xff\x12\x00", 4);
        QTest::newRow("broken scenario") << "s.kvplan" << QByteArray("{\"schema\": \"kvplan-scenario\", ");
        QTest::newRow("scenario with a bad value")
            << "s.json" << QByteArray("{\"schema\": \"kvplan-scenario\", \"version\": 1, \"context\": -5}");
        QTest::newRow("half a measurement") << "m.json" << QByteArray("{\"device\": {}, \"decode\": {}}");
    }
    void badFilesSayWhyAndChangeNothing()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        const QTemporaryDir folder;
        MainWindow window;
        QVERIFY(window.editor().setNumber(Field::Concurrency, 31));
        const Scenario before = window.editor().scenario();
        drop(window, written(folder, name, text));
        QCOMPARE(window.messages().texts().size(), 1);
        QVERIFY(window.messages().texts().first().endsWith(QLatin1Char('.')));
        QVERIFY(window.editor().scenario() == before);
        QVERIFY(window.editor().history().canUndo());
        QVERIFY(!window.measureTab().measurement());
    }

    void aFolderOrAMissingFileIsRefused()
    {
        const QTemporaryDir folder;
        MainWindow window;
        QVERIFY(!window.openFile(folder.path()));
        QVERIFY(!window.openFile(folder.filePath(QStringLiteral("gone.json"))));
        QCOMPARE(window.messages().texts().size(), 1);
    }

    void aDroppedConfigBecomesTheModel()
    {
        const QTemporaryDir folder;
        MainWindow window;
        drop(window, written(folder, QStringLiteral("config.json"), tinyConfig));
        QVERIFY(window.editor().scenario().model);
        QCOMPARE(window.editor().plan()->kv.allLayersBytesPerToken.count(), std::int64_t{4 * 2 * 128 * 2});
        window.editor().history().undo();
        QVERIFY(window.editor().scenario() == Scenario{});
    }

    void aDroppedScenarioAsksBeforeWorkIsLost()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("other.kvplan"));
        Scenario other;
        other.concurrency = 7;
        QVERIFY(saveScenario(path.toStdString(), {other, {}}));
        MainWindow window;
        QVERIFY(window.editor().setNumber(Field::Concurrency, 31));
        window.setAsk([] { return MainWindow::Answer::Cancel; });
        drop(window, path);
        QCOMPARE(window.editor().scenario().concurrency, std::int64_t{31});
        window.setAsk([] { return MainWindow::Answer::Discard; });
        drop(window, path);
        QCOMPARE(window.editor().scenario().concurrency, std::int64_t{7});
    }

    void undoAndRedoByKey()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QVERIFY(window.editor().setNumber(Field::Context, 16384));
        QTest::keySequence(&window, QKeySequence::Undo);
        QCOMPARE(window.editor().scenario().contextTokens, std::int64_t{8192});
        QTest::keySequence(&window, QKeySequence(Qt::CTRL | Qt::Key_Y));
        QCOMPARE(window.editor().scenario().contextTokens, std::int64_t{16384});
        window.setAsk([] { return MainWindow::Answer::Discard; });
    }

    void tabsByKey()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keySequence(&window, QKeySequence(Qt::CTRL | Qt::Key_2));
        QVERIFY(window.measureTab().isVisible());
        QVERIFY(window.verdictBand().verdict().word.startsWith(QStringLiteral("Not measured")));
        QTest::keySequence(&window, QKeySequence(Qt::CTRL | Qt::Key_1));
        QVERIFY(!window.measureTab().isVisible());
        QCOMPARE(window.verdictBand().verdict().word, QStringLiteral("Fits."));
    }

    void themesChangeEveryPart()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.setThemeChoice(ThemeChoice::Light);
        const QImage light = window.centralWidget()->grab().toImage();
        window.setThemeChoice(ThemeChoice::Dark);
        const QImage dark = window.centralWidget()->grab().toImage();
        const Theme theme{.dark = true};
        // The panel, the band and the foot.
        for (const QPoint at : {QPoint(8, 8), QPoint(640, 20), QPoint(640, dark.height() - 4)}) {
            QVERIFY2(
                light.pixelColor(at).lightness() > 200, qPrintable(QStringLiteral("%1, %2").arg(at.x()).arg(at.y())));
            QCOMPARE(dark.pixelColor(at), theme.color(Role::Card));
        }
        QCOMPARE(dark.pixelColor(305, 3), theme.color(Role::Ground));
        window.setThemeChoice(ThemeChoice::System);
    }

    void aContradictionIsSaidAndTheLastAnswerStands()
    {
        MainWindow window;
        QVERIFY(window.editor().setNumber(Field::KvHeads, 64));
        const Verdict& verdict = window.verdictBand().verdict();
        QVERIFY(verdict.stale);
        QVERIFY(verdict.detail.contains(QStringLiteral("64 KV heads do not divide 32 query heads")));
        window.editor().history().undo();
        QVERIFY(!window.verdictBand().verdict().stale);
    }

    void aRefusedEditStaysSaidUntilTheNextGoodOne()
    {
        MainWindow window;
        QVERIFY(!window.editor().setText(Field::Context, "lots"));
        QCOMPARE(window.messages().texts().size(), 1);
        QVERIFY(window.messages().texts().first().contains(QStringLiteral("\"lots\" is not a number")));
        QVERIFY(window.editor().setText(Field::Context, "4k"));
        QVERIFY(window.messages().texts().isEmpty());
    }

    void theBandsHeightDependsOnItsWidthAlone()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QRect before = window.verdictBand().geometry();
        QVERIFY(window.editor().setNumber(Field::Concurrency, 999999));
        QVERIFY(window.editor().setNumber(Field::TensorParallel, 8));
        QCoreApplication::processEvents();
        QCOMPARE(window.verdictBand().geometry(), before);
        window.setAsk([] { return MainWindow::Answer::Discard; });
    }

    void closingAsksAndCleansUp()
    {
        MainWindow window;
        window.show();
        QVERIFY(window.editor().setNumber(Field::Context, 16384));
        window.setAsk([] { return MainWindow::Answer::Cancel; });
        QVERIFY(!window.close());
        window.setAsk([] { return MainWindow::Answer::Discard; });
        QVERIFY(window.close());
        const QDir data(
            QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/kvplan"));
        QVERIFY(data.entryList({QStringLiteral("autosave-*.json")}, QDir::Files).isEmpty());
    }

    void workOfACrashedRunIsOffered()
    {
        const QDir data(
            QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/kvplan"));
        QVERIFY(data.mkpath(QStringLiteral(".")));
        Scenario lost;
        lost.concurrency = 77;
        QVERIFY(saveScenario(data.filePath(QStringLiteral("autosave-1.json")).toStdString(), {lost, {}}));
        MainWindow window;
        window.show();
        QTRY_COMPARE(window.messages().texts().size(), 1);
        QVERIFY(window.editor().scenario() == Scenario{});
        auto* restore = window.messages().findChild<QAbstractButton*>(QStringLiteral("action"));
        QVERIFY(restore != nullptr);
        QTest::mouseClick(restore, Qt::LeftButton);
        QCOMPARE(window.editor().scenario().concurrency, std::int64_t{77});
        QVERIFY(window.isWindowModified());
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
