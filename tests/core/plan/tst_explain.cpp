// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/explain.h"

#include <QTest>

using namespace kvplan;

namespace {

std::string explained(Field field, const Scenario& scenario = {})
{
    return explain(field, scenario, *plan(scenario));
}

bool holds(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestExplain : public QObject {
    Q_OBJECT

private slots:
    void theWorkedExampleInItsOwnFigures_data()
    {
        QTest::addColumn<int>("field");
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* name, Field field, const char* line) {
            QTest::newRow(name) << static_cast<int>(field) << QByteArray(line);
        };
        row("layers", Field::Layers, "= 32 × 8 × (128 + 128) × 2 B = 131,072 B");
        row("query heads", Field::QueryHeads, "= 32 / 8 = 4");
        row("context", Field::Context, "= 8,192 × 131,072 B = 1.00 GiB");
        row("sequences", Field::Concurrency, "= 24 × 1.00 GiB = 24.0 GiB");
        row("overhead", Field::OverheadPercent, "= 24.0 GiB × 1.1 = 26.4 GiB");
        row("headroom", Field::HeadroomPercent, "= 60.0 GiB");
        row("block", Field::BlockSize, "= ⌈8,192 / 16⌉ = 512; 0 tokens of the last stay empty");
        row("tensor parallel", Field::TensorParallel, "= ⌈8 / 1⌉ = 8; 131072 B a token on each accelerator");
        row("replicas", Field::Replicas, "= 1 × 1 × 1 = 1");
    }
    void theWorkedExampleInItsOwnFigures()
    {
        QFETCH(int, field);
        QFETCH(QByteArray, line);
        const std::string text = explained(static_cast<Field>(field));
        QVERIFY2(holds(text, line.toStdString()), text.c_str());
    }

    void everyNumberThatMattersHasAFormula()
    {
        for (const FieldSpec& field : fieldSpecs()) {
            const std::string text = explained(field.field);
            const bool silent = field.field == Field::EngineName || field.field == Field::ActiveParametersB
                || field.field == Field::MaxBatchedTokens;
            QVERIFY2(text.empty() == silent, std::string(field.key).c_str());
        }
    }

    void formatsThatDifferStandApart()
    {
        Scenario scenario;
        scenario.valueFormat = CacheFormat::Fp8;
        QVERIFY(holds(explained(Field::KeyFormat, scenario), "32 × 8 × (128 × 2 B + 128 × 1 B) = 98,304 B"));
    }

    void aLatentIsOneTensor()
    {
        Scenario scenario;
        scenario.mlaRank = 512;
        const std::string text = explained(Field::MlaRank, scenario);
        QVERIFY2(holds(text, "32 × (512 + 64) × 2 B = 36,864 B"), text.c_str());
    }

    void windowsAddTheirGroups()
    {
        Scenario scenario;
        scenario.windowTokens = 1024;
        scenario.globalEvery = 4;
        const std::string text = explained(Field::Layers, scenario);
        QVERIFY2(holds(text, "8 × 8 × (128 + 128) × 2 B + 24 × 8 × (128 + 128) × 2 B = 131,072 B"), text.c_str());
    }
};

QTEST_APPLESS_MAIN(TestExplain)
#include "tst_explain.moc"
