// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/scenario_editor.h"

#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

#include <cmath>

using namespace kvplan;

class TestScenarioEditor : public QObject {
    Q_OBJECT

private slots:
    void beginsWithTheWorkedExample()
    {
        const ScenarioEditor editor;
        QVERIFY(editor.scenario() == Scenario{});
        QVERIFY(editor.plan());
        QCOMPARE(editor.plan()->concurrency.fullSequences, std::int64_t{54});
        QVERIFY(!editor.isModified());
    }

    void aChangeIsPlannedAndToldOnce()
    {
        ScenarioEditor editor;
        const QSignalSpy changes(&editor, &ScenarioEditor::changed);
        QVERIFY(editor.setNumber(Field::Context, 16384));
        QCOMPARE(changes.size(), 1);
        QCOMPARE(editor.plan()->concurrency.fullSequences, std::int64_t{27});
        QVERIFY(editor.isModified());
    }

    void settingWhatIsThereChangesNothing()
    {
        ScenarioEditor editor;
        const QSignalSpy changes(&editor, &ScenarioEditor::changed);
        QVERIFY(editor.setNumber(Field::Context, 8192));
        QCOMPARE(changes.size(), 0);
        QVERIFY(!editor.history().canUndo());
    }

    void fieldsSetTogetherAreOneChange()
    {
        ScenarioEditor editor;
        const QSignalSpy changes(&editor, &ScenarioEditor::changed);
        QVERIFY(editor.setNumbers(std::vector<FieldNumber>{{Field::Context, 4096}, {Field::Concurrency, 100}}));
        QCOMPARE(changes.size(), 1);
        QCOMPARE(editor.history().undoText(), QStringLiteral("Context and Sequences"));
        editor.history().undo();
        QVERIFY(editor.scenario() == Scenario{});
    }

    void oneGestureUndoesTogether()
    {
        ScenarioEditor editor;
        const int drag = editor.newGesture();
        for (const double context : {9216.0, 10240.0, 12288.0}) {
            QVERIFY(editor.setNumber(Field::Context, context, drag));
        }
        const int next = editor.newGesture();
        QVERIFY(editor.setNumber(Field::Context, 16384, next));
        QCOMPARE(editor.history().count(), 2);
        editor.history().undo();
        QCOMPARE(editor.scenario().contextTokens, std::int64_t{12288});
        editor.history().undo();
        QCOMPARE(editor.scenario().contextTokens, std::int64_t{8192});
        editor.history().redo();
        QCOMPARE(editor.scenario().contextTokens, std::int64_t{12288});
    }

    void aGestureThatReturnsLeavesNoTrace()
    {
        ScenarioEditor editor;
        const int drag = editor.newGesture();
        QVERIFY(editor.setNumber(Field::Context, 9216, drag));
        QVERIFY(editor.setNumber(Field::Context, 8192, drag));
        QVERIFY(!editor.history().canUndo());
        QVERIFY(!editor.isModified());
    }

    void changesWithoutAGestureStayApart()
    {
        ScenarioEditor editor;
        QVERIFY(editor.setText(Field::Context, "32k"));
        QVERIFY(editor.setText(Field::Context, "64k"));
        QCOMPARE(editor.history().count(), 2);
        QCOMPARE(editor.history().undoText(), QStringLiteral("Context"));
    }

    void badInputLeavesTheScenario_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << "0";
        QTest::newRow("negative") << "-5";
        QTest::newRow("huge") << "1e300";
        QTest::newRow("not a number") << "nan";
        QTest::newRow("words") << "many";
        QTest::newRow("a fraction") << "8.5";
    }
    void badInputLeavesTheScenario()
    {
        QFETCH(QString, text);
        ScenarioEditor editor;
        QVERIFY(editor.setNumber(Field::Context, 4096));
        const Scenario before = editor.scenario();
        const QSignalSpy refusals(&editor, &ScenarioEditor::refused);
        const QSignalSpy changes(&editor, &ScenarioEditor::changed);
        QVERIFY(!editor.setText(Field::Context, text.toStdString()));
        QCOMPARE(refusals.size(), 1);
        QCOMPARE(changes.size(), 0);
        QVERIFY(editor.scenario() == before);
        QCOMPARE(editor.history().count(), 1);
    }

    void oneBadFieldOfSeveralSetsNone()
    {
        ScenarioEditor editor;
        QVERIFY(!editor.setNumbers(std::vector<FieldNumber>{{Field::Context, 4096}, {Field::Concurrency, -1}}));
        QVERIFY(editor.scenario() == Scenario{});
        QVERIFY(!editor.setNumber(Field::Context, std::nan("")));
    }

    void aContradictionKeepsTheLastGoodPlan()
    {
        ScenarioEditor editor;
        QVERIFY(editor.setNumber(Field::KvHeads, 64));
        QVERIFY(!editor.plan());
        QCOMPARE(editor.lastGoodPlan().concurrency.fullSequences, std::int64_t{54});
        QVERIFY(editor.setNumber(Field::QueryHeads, 64));
        QVERIFY(editor.plan());
        QVERIFY(editor.lastGoodPlan().concurrency.fullSequences < 54);
    }

    void resetGoesBackToTheStandIn()
    {
        ScenarioEditor editor;
        QVERIFY(editor.setNumber(Field::HeadroomPercent, 40));
        editor.reset(Field::HeadroomPercent);
        QVERIFY(editor.scenario() == Scenario{});
        QCOMPARE(editor.history().count(), 2);
        QVERIFY(editor.history().undoText().contains(QStringLiteral("Headroom")));
    }

    void aModelTakesTheShapeLaidOverTheFormerOneAway()
    {
        ScenarioEditor editor;
        QVERIFY(editor.setNumber(Field::Layers, 12));
        Architecture model;
        model.name = "small";
        model.layers = 4;
        model.queryHeads = 8;
        model.groups = {{4, FullAttention{2, 64, 64}}};
        editor.setModel(model);
        QVERIFY(!editor.scenario().layers);
        QCOMPARE(editor.plan()->kv.allLayersBytesPerToken.count(), std::int64_t{4 * 2 * 128 * 2});
        editor.history().undo();
        QCOMPARE(*editor.scenario().layers, std::int64_t{12});
        QVERIFY(!editor.scenario().model);
    }

    void savingMarksTheStateAndUndoKnowsIt()
    {
        ScenarioEditor editor;
        QSignalSpy modified(&editor, &ScenarioEditor::modifiedChanged);
        QVERIFY(editor.setNumber(Field::Context, 4096));
        editor.setSaved();
        QVERIFY(!editor.isModified());
        editor.history().undo();
        QVERIFY(editor.isModified());
        editor.history().redo();
        QVERIFY(!editor.isModified());
        QCOMPARE(modified.size(), 4);
    }

    void aDragIsNotMergedIntoWhatIsSaved()
    {
        ScenarioEditor editor;
        const int drag = editor.newGesture();
        QVERIFY(editor.setNumber(Field::Context, 4096, drag));
        editor.setSaved();
        QVERIFY(editor.setNumber(Field::Context, 2048, drag));
        QVERIFY(editor.isModified());
        editor.history().undo();
        QCOMPARE(editor.scenario().contextTokens, std::int64_t{4096});
        QVERIFY(!editor.isModified());
    }

    void openingBeginsANewHistoryAndKeepsUnknownKeys()
    {
        ScenarioEditor editor;
        QVERIFY(editor.setNumber(Field::Context, 4096));
        ScenarioDocument document;
        document.scenario.concurrency = 7;
        document.unknownJson = R"({"colour": "red"})";
        editor.open(document);
        QCOMPARE(editor.scenario().concurrency, std::int64_t{7});
        QVERIFY(!editor.isModified());
        QVERIFY(!editor.history().canUndo());
        QVERIFY(editor.setNumber(Field::Context, 2048));
        QCOMPARE(editor.document().unknownJson, document.unknownJson);
    }
};

QTEST_MAIN(TestScenarioEditor)
#include "tst_scenario_editor.moc"
