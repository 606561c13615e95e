// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/scenario_editor.h"
#include "ui/measure/measure_cards.h"
#include "ui/measure/measure_job.h"
#include "ui/measure/measure_tab.h"
#include "ui/window/appearance.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace kvplan;

namespace {

constexpr int patienceMs = 60000;

/// A cache of a few hundred kilobytes.
void makeTiny(ScenarioEditor& editor)
{
    QVERIFY(editor.setNumbers(std::vector<FieldNumber>{{Field::Layers, 2}, {Field::QueryHeads, 4}, {Field::KvHeads, 2},
        {Field::HeadDim, 64}, {Field::Context, 128}, {Field::Concurrency, 3}}));
}

/// A cache that takes a good while to fill and read.
void makeLong(ScenarioEditor& editor)
{
    QVERIFY(editor.setNumbers(
        std::vector<FieldNumber>{{Field::Layers, 16}, {Field::Context, 4096}, {Field::Concurrency, 4}}));
}

struct Bench {
    ScenarioEditor editor;
    MeasureTab tab{editor};

    Bench()
    {
        tab.setTheme(Theme{});
        tab.resize(1000, 640);
    }
    QPushButton& button(const char* name) { return *tab.findChild<QPushButton*>(QString::fromLatin1(name)); }
};

} // namespace

class TestMeasureTab : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyAppearance(Theme{}); }

    void saysWhatItWillTakeBeforeItDoes()
    {
        Bench bench;
        makeTiny(bench.editor);
        bench.tab.show();
        QCOMPARE(bench.tab.verdict().word, QStringLiteral("Not measured yet."));
        QCOMPARE(bench.tab.status(), QStringLiteral("Nothing measured"));
        QVERIFY(bench.button("measure").isEnabled());
        const auto tables = bench.tab.findChildren<FactTableBody*>();
        QVERIFY(std::any_of(tables.begin(), tables.end(), [](const FactTableBody* body) {
            return !body->table().rows.empty() && body->table().rows.front().cells.last() == QStringLiteral("2 of 2");
        }));
        QVERIFY(!bench.tab.measurement());
    }

    void measuresForReal()
    {
        Bench bench;
        makeTiny(bench.editor);
        bench.tab.show();
        QTest::mouseClick(&bench.button("measure"), Qt::LeftButton);
        QVERIFY(bench.tab.isRunning());
        QCOMPARE(bench.button("measure").text(), QStringLiteral("Cancel"));
        QTRY_VERIFY_WITH_TIMEOUT(!bench.tab.isRunning(), patienceMs);
        QVERIFY(bench.tab.measurement());
        QVERIFY(bench.tab.measurement()->checkPassed);
        QCOMPARE(bench.tab.measurement()->request.sequences, std::int64_t{3});
        QVERIFY(bench.tab.status().startsWith(QStringLiteral("Measured · CPU")));
        QVERIFY(!bench.tab.verdict().stale);

        // Another scenario makes it another's answer.
        QVERIFY(bench.editor.setNumber(Field::Concurrency, 5));
        QVERIFY(bench.tab.verdict().stale);
        QVERIFY(bench.editor.setNumber(Field::Concurrency, 3));
        QVERIFY(!bench.tab.verdict().stale);

        const QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString()) / "m.json";
        QVERIFY(bench.tab.save(path));
        Bench other;
        QVERIFY(other.tab.open(path));
        QCOMPARE(other.tab.measurement()->stepSamples, bench.tab.measurement()->stepSamples);
        QVERIFY(!other.tab.verdict().stale);
        QVERIFY(!other.tab.save(std::filesystem::path("/nowhere/m.json")));
    }

    void cancelGivesTheScreenBack()
    {
        Bench bench;
        makeLong(bench.editor);
        bench.tab.show();
        if (!bench.button("measure").isEnabled()) {
            QSKIP("not enough memory here for a run that is long enough to cancel");
        }
        bench.tab.start();
        QTest::mouseClick(&bench.button("measure"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!bench.tab.isRunning(), patienceMs);
        QVERIFY(!bench.tab.measurement());
        QCOMPARE(bench.button("measure").text(), QStringLiteral("Measure"));
        QVERIFY(bench.button("measure").isEnabled());
        QCOMPARE(bench.tab.verdict().word, QStringLiteral("Not measured yet."));
    }

    void whatCannotFitIsRefusedWithASmallerSlice()
    {
        Bench bench;
        QVERIFY(bench.editor.setNumbers(
            std::vector<FieldNumber>{{Field::Layers, 2}, {Field::Context, 131072}, {Field::Concurrency, 100000}}));
        bench.tab.show();
        QVERIFY(!bench.button("measure").isEnabled());
        QCOMPARE(bench.tab.verdict().word, QStringLiteral("Not measured."));
        QVERIFY(bench.button("slice").isVisible());
        QVERIFY(bench.button("slice").text().contains(QStringLiteral("smaller slice")));
        bench.tab.start();
        QVERIFY(!bench.tab.isRunning());
    }

    void whatCannotRunIsSaid()
    {
        Bench bench;
        QVERIFY(bench.editor.setText(Field::ValueFormat, "fp8"));
        bench.tab.show();
        QVERIFY(!bench.button("measure").isEnabled());
        QVERIFY(!bench.button("slice").isVisible());
        QVERIFY(bench.tab.verdict().text.contains(QStringLiteral("bf16")));
    }

    void closingDuringARunIsSafe()
    {
        auto bench = std::make_unique<Bench>();
        makeLong(bench->editor);
        bench->tab.show();
        bench->tab.start();
        QTest::qWait(20);
        bench.reset();
    }

    void theLatestRequestWins()
    {
        Scenario first;
        first.layers = 16;
        first.contextTokens = 4096;
        first.concurrency = 2;
        Scenario second = first;
        second.layers = 1;
        second.contextTokens = 64;
        second.concurrency = 1;
        MeasureJob job;
        const QSignalSpy finished(&job, &MeasureJob::finished);
        job.start(*measureRequest(first));
        job.start(*measureRequest(second));
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, patienceMs);
        QVERIFY(job.result());
        QCOMPARE(job.result()->request.context.count(), std::int64_t{63});
        QVERIFY(!job.isRunning());
    }

    void badMeasurementsAreRefused()
    {
        Bench bench;
        QVERIFY(!bench.tab.open("/nowhere/m.json"));
        QVERIFY(!bench.tab.open("/"));
        QVERIFY(!bench.tab.measurement());
        QVERIFY(!bench.tab.save("/tmp/never.json"));
    }
};

QTEST_MAIN(TestMeasureTab)
#include "tst_measure_tab.moc"
