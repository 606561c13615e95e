// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/scenario_editor.h"
#include "ui/panel/field_row.h"
#include "ui/panel/field_slider.h"
#include "ui/panel/fold.h"
#include "ui/panel/picker.h"
#include "ui/panel/scenario_panel.h"
#include "ui/panel/value_box.h"
#include "ui/window/appearance.h"

#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

using namespace kvplan;

namespace {

/// A panel on the screen, with the widgets of a field at hand.
struct Bench {
    ScenarioEditor editor;
    ScenarioPanel panel{editor};

    Bench()
    {
        panel.resize(panel.width(), 1600);
        panel.show();
        static_cast<void>(QTest::qWaitForWindowActive(&panel));
    }

    FieldRow& row(const char* key) { return *panel.findChild<FieldRow*>(QString::fromLatin1(key)); }
    ValueBox& box(const char* key) { return *row(key).findChild<ValueBox*>(); }
    FieldSlider& slider(const char* key) { return *row(key).findChild<FieldSlider*>(); }

    void type(const char* key, const QString& text)
    {
        box(key).setFocus();
        box(key).selectAll();
        QTest::keyClicks(&box(key), text);
        QTest::keyClick(&box(key), Qt::Key_Return);
    }
};

} // namespace

class TestScenarioPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyAppearance(Theme{}); }

    void showsTheWorkedExample()
    {
        Bench bench;
        QCOMPARE(bench.box("layers").text(), QStringLiteral("32"));
        QCOMPARE(bench.box("kv-heads").text(), QStringLiteral("8"));
        QCOMPARE(bench.box("context").text(), QStringLiteral("8,192"));
        QCOMPARE(bench.box("concurrency").text(), QStringLiteral("24"));
        QCOMPARE(bench.box("capacity-gib").text(), QStringLiteral("80"));
        QCOMPARE(bench.box("headroom-percent").text(), QStringLiteral("25"));
        QCOMPARE(bench.box("overhead-percent").text(), QStringLiteral("10"));
        QCOMPARE(bench.row("kv-format").findChild<QComboBox*>()->currentText(), QStringLiteral("bf16"));
        const auto labels = bench.row("kv-heads").findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
            [](const QLabel* label) { return label->text().contains(QStringLiteral("GQA 4:1")); }));
    }

    void everyFieldHasAControl()
    {
        Bench bench;
        bench.panel.openAllFolds();
        QCoreApplication::processEvents();
        for (const FieldSpec& field : fieldSpecs()) {
            const QString key = QString::fromUtf8(field.key.data(), static_cast<qsizetype>(field.key.size()));
            FieldRow* row = bench.panel.findChild<FieldRow*>(key);
            QVERIFY2(row != nullptr, qPrintable(key));
            QVERIFY2(row->isVisible(), qPrintable(key));
            const auto boxes = row->findChildren<QWidget*>();
            QVERIFY2(std::any_of(boxes.begin(), boxes.end(),
                         [](const QWidget* widget) {
                             return !widget->accessibleName().isEmpty() && widget->focusPolicy() != Qt::NoFocus;
                         }),
                qPrintable(key));
        }
    }

    void typingSetsTheFieldAndMovesTheSlider()
    {
        Bench bench;
        const int before = bench.slider("context").value();
        bench.type("context", QStringLiteral("32k"));
        QCOMPARE(bench.editor.scenario().contextTokens, std::int64_t{32768});
        QCOMPARE(bench.box("context").text(), QStringLiteral("32,768"));
        QVERIFY(bench.slider("context").value() > before);
    }

    void aValueBeyondTheSliderIsKeptExactly()
    {
        Bench bench;
        bench.type("context", QStringLiteral("3,000,001"));
        QCOMPARE(bench.editor.scenario().contextTokens, std::int64_t{3000001});
        QCOMPARE(bench.slider("context").value(), bench.slider("context").maximum());
        QCOMPARE(bench.box("context").text(), QStringLiteral("3,000,001"));
    }

    void garbageGivesAMessageAndTheOldValueBack()
    {
        Bench bench;
        const QSignalSpy refusals(&bench.editor, &ScenarioEditor::refused);
        bench.type("context", QStringLiteral("lots"));
        QCOMPARE(refusals.size(), 1);
        QCOMPARE(bench.box("context").text(), QStringLiteral("8,192"));
        QVERIFY(bench.box("context").isRefused());
        QVERIFY(bench.editor.scenario() == Scenario{});
        bench.type("context", QStringLiteral("4096"));
        QVERIFY(!bench.box("context").isRefused());
    }

    void escapeGivesTheOldValueBack()
    {
        Bench bench;
        ValueBox& box = bench.box("context");
        box.setFocus();
        box.selectAll();
        QTest::keyClicks(&box, QStringLiteral("77"));
        QTest::keyClick(&box, Qt::Key_Escape);
        QCOMPARE(box.text(), QStringLiteral("8,192"));
        bench.slider("context").setFocus();
        QVERIFY(bench.editor.scenario() == Scenario{});
    }

    void leavingTheBoxTakesWhatIsTyped()
    {
        Bench bench;
        ValueBox& box = bench.box("concurrency");
        box.setFocus();
        box.selectAll();
        QTest::keyClicks(&box, QStringLiteral("48"));
        bench.slider("context").setFocus();
        QCOMPARE(bench.editor.scenario().concurrency, std::int64_t{48});
    }

    void draggingIsOneUndo()
    {
        Bench bench;
        FieldSlider& slider = bench.slider("context");
        const QPoint start(slider.width() / 4, slider.height() / 2);
        QTest::mousePress(&slider, Qt::LeftButton, {}, start);
        for (int x = slider.width() / 4; x <= slider.width() * 3 / 4; x += 6) {
            QTest::mouseMove(&slider, QPoint(x, slider.height() / 2));
        }
        QTest::mouseRelease(&slider, Qt::LeftButton, {}, QPoint(slider.width() * 3 / 4, slider.height() / 2));
        QVERIFY(bench.editor.scenario().contextTokens > 32768);
        QCOMPARE(bench.box("context").text().remove(QLatin1Char(',')).toLongLong(),
            static_cast<qlonglong>(bench.editor.scenario().contextTokens));
        QCOMPARE(bench.editor.history().count(), 1);
        bench.editor.history().undo();
        QVERIFY(bench.editor.scenario() == Scenario{});
        QCOMPARE(bench.box("context").text(), QStringLiteral("8,192"));
    }

    void clickingTheTrackGoesThere()
    {
        Bench bench;
        FieldSlider& slider = bench.slider("layers");
        QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(slider.width() - 2, slider.height() / 2));
        QCOMPARE(*bench.editor.scenario().layers, std::int64_t{128});
    }

    void keysWalkTheSlider()
    {
        Bench bench;
        FieldSlider& slider = bench.slider("context");
        slider.setFocus();
        QTest::keyClick(&slider, Qt::Key_PageUp);
        QCOMPARE(bench.editor.scenario().contextTokens, std::int64_t{16384});
        QTest::keyClick(&slider, Qt::Key_Right);
        QCOMPARE(bench.editor.scenario().contextTokens, std::int64_t{18432});
        QTest::keyClick(&slider, Qt::Key_Home);
        QCOMPARE(bench.editor.scenario().contextTokens, std::int64_t{512});
        QTest::keyClick(&slider, Qt::Key_End);
        QCOMPARE(bench.editor.scenario().contextTokens, std::int64_t{1048576});
        QTest::keyClick(&slider, Qt::Key_Backspace);
        QCOMPARE(bench.editor.scenario().contextTokens, std::int64_t{8192});
    }

    void upAndDownInTheBoxGoToTheNextPosition()
    {
        Bench bench;
        bench.type("concurrency", QStringLiteral("25"));
        QTest::keyClick(&bench.box("concurrency"), Qt::Key_Up);
        QCOMPARE(bench.editor.scenario().concurrency, std::int64_t{26});
        QTest::keyClick(&bench.box("concurrency"), Qt::Key_Down);
        QCOMPARE(bench.editor.scenario().concurrency, std::int64_t{24});
    }

    void doubleClickResets_data()
    {
        QTest::addColumn<bool>("onLabel");
        QTest::newRow("on the label") << true;
        QTest::newRow("on the slider") << false;
    }
    void doubleClickResets()
    {
        QFETCH(bool, onLabel);
        Bench bench;
        bench.type("headroom-percent", QStringLiteral("40"));
        QWidget* target = onLabel ? static_cast<QWidget*>(bench.row("headroom-percent").findChild<QLabel*>())
                                  : &bench.slider("headroom-percent");
        QTest::mouseDClick(target, Qt::LeftButton);
        QVERIFY(!bench.editor.scenario().headroomPercent);
        QCOMPARE(bench.box("headroom-percent").text(), QStringLiteral("25"));
    }

    void anEmptiedBoxResets()
    {
        Bench bench;
        bench.type("layers", QStringLiteral("40"));
        bench.box("layers").setFocus();
        bench.box("layers").selectAll();
        QTest::keyClick(&bench.box("layers"), Qt::Key_Delete);
        QTest::keyClick(&bench.box("layers"), Qt::Key_Return);
        QVERIFY(!bench.editor.scenario().layers);
        QCOMPARE(bench.box("layers").text(), QStringLiteral("32"));
    }

    void precisionStopsAreTheFormatsByBytes()
    {
        Bench bench;
        FieldSlider& slider = bench.slider("kv-format");
        QCOMPARE(static_cast<std::size_t>(slider.maximum()) + 1, cacheFormats().size());
        double before = 0;
        for (int stop = 0; stop <= slider.maximum(); ++stop) {
            slider.setValue(stop);
            const double bytes = info(bench.editor.scenario().keyFormat).bytesPerElement();
            QVERIFY(bytes >= before);
            before = bytes;
            QVERIFY(bench.editor.scenario().keyFormat == bench.editor.scenario().valueFormat);
            QCOMPARE(bench.row("kv-format").findChild<QComboBox*>()->currentText().toStdString(),
                std::string(name(bench.editor.scenario().keyFormat)));
        }
    }

    void keysAndValuesCanDiffer()
    {
        Bench bench;
        bench.panel.openAllFolds();
        QVERIFY(bench.editor.setText(Field::ValueFormat, "fp8"));
        QCOMPARE(bench.row("kv-format").findChild<QComboBox*>()->currentIndex(), -1);
        QCOMPARE(bench.row("v-format").findChild<QComboBox*>()->currentText(), QStringLiteral("fp8"));
        QCOMPARE(bench.row("k-format").findChild<QComboBox*>()->currentText(), QStringLiteral("bf16"));
    }

    void aFoldedSectionSaysWhatIsSet()
    {
        Bench bench;
        QVERIFY(bench.editor.setNumber(Field::Replicas, 3));
        const Fold* fold = bench.panel.findChild<Fold*>(QStringLiteral("Pipeline, context, replicas"));
        QVERIFY(!fold->isOpen());
        const auto parts = fold->findChildren<QWidget*>();
        QVERIFY(std::any_of(parts.begin(), parts.end(),
            [](const QWidget* part) { return part->accessibleDescription().contains(QStringLiteral("replicas 3")); }));
    }

    void nothingMovesWhenAValueGrows()
    {
        Bench bench;
        const QRect box = bench.box("context").geometry();
        const QRect row = bench.row("concurrency").geometry();
        QVERIFY(bench.editor.setNumber(Field::Context, 100000000));
        QVERIFY(bench.editor.setNumber(Field::Concurrency, 1000000));
        QCoreApplication::processEvents();
        QCOMPARE(bench.box("context").geometry(), box);
        QCOMPARE(bench.row("concurrency").geometry(), row);
        QVERIFY(bench.box("context").fontMetrics().horizontalAdvance(bench.box("context").text())
            < bench.box("context").width() - 40);
    }

    void theMixPickerSetsBothLengths()
    {
        Bench bench;
        Picker* mix = bench.panel.findChild<Picker*>(QStringLiteral("mix"));
        emit mix->picked(QStringLiteral("Chat"));
        QVERIFY(bench.editor.scenario().prompt && bench.editor.scenario().output);
        QCOMPARE(bench.editor.history().count(), 1);
        QCOMPARE(mix->currentText(), QStringLiteral("Chat"));
        emit mix->nonePicked();
        QVERIFY(!bench.editor.scenario().prompt && !bench.editor.scenario().output);
    }

    void theTooltipHoldsTheFormula()
    {
        Bench bench;
        QHelpEvent help(QEvent::ToolTip, QPoint(4, 4), bench.row("layers").mapToGlobal(QPoint(4, 4)));
        QVERIFY(QCoreApplication::sendEvent(&bench.row("layers"), &help));
        const auto tips = QApplication::topLevelWidgets();
        QVERIFY(std::any_of(tips.begin(), tips.end(), [](const QWidget* widget) {
            const auto* label = qobject_cast<const QLabel*>(widget);
            return label != nullptr && label->text().contains(QStringLiteral("131,072 B"));
        }));
    }
};

QTEST_MAIN(TestScenarioPanel)
#include "tst_scenario_panel.moc"
