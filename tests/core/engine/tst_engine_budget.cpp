// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_rules.h"

#include <QTest>

using namespace kvplan;

namespace {

Banded gibs(double value)
{
    return exactly(bytesFromGib(value), Basis::Measured);
}

/// Every term given, as a log prints them.
EngineMemory logged(double capacity, double fraction, double weights, double activation, double other)
{
    EngineMemory memory;
    memory.capacity = gibs(capacity);
    memory.fraction = fraction;
    memory.weights = gibs(weights);
    memory.activation = gibs(activation);
    memory.other = gibs(other);
    memory.graphs = gibs(0);
    return memory;
}

EngineMemory llamaOnH100()
{
    EngineMemory memory;
    memory.capacity = gibs(79.2);
    memory.weights = gibs(14.96);
    memory.hidden = 4096;
    memory.vocabulary = 128256;
    return memory;
}

const BudgetLine* line(const Budget& budget, std::string_view name)
{
    for (const BudgetLine& each : budget.lines) {
        if (each.name == name) {
            return &each;
        }
    }
    return nullptr;
}

} // namespace

class TestEngineBudget : public QObject {
    Q_OBJECT

private slots:
    void loggedTermsClose_data()
    {
        QTest::addColumn<double>("capacity");
        QTest::addColumn<double>("fraction");
        QTest::addColumn<double>("weights");
        QTest::addColumn<double>("activation");
        QTest::addColumn<double>("other");
        QTest::addColumn<double>("pool");
        QTest::newRow("Llama-3.1-8B, RTX 3090") << 23.58 << 0.9 << 14.99 << 17.06 - 14.99 << 0.35 << 3.81;
        QTest::newRow("DeepSeek-V2-Lite beside another process") << 79.10 << 0.9 << 30.56 << 0.0 << 5.21 << 35.42;
        QTest::newRow("Phi-4 shape at 0.15") << 79.25 << 0.15 << 8.51 << 0.94 << 0.26 << 2.18;
    }

    void loggedTermsClose()
    {
        QFETCH(double, capacity);
        QFETCH(double, fraction);
        QFETCH(double, weights);
        QFETCH(double, activation);
        QFETCH(double, other);
        QFETCH(double, pool);
        const Budget budget = vllmBudget(logged(capacity, fraction, weights, activation, other), {0, 6, 5});
        QVERIFY2(std::abs(gib(budget.usable) - pool) < 0.01, qPrintable(QString::number(gib(budget.usable))));
    }

    void vllmDefaults()
    {
        QCOMPARE(vllmFraction({0, 21, 0}), 0.90);
        QCOMPARE(vllmFraction({0, 22, 0}), 0.92);
        const Budget before = vllmBudget(llamaOnH100(), {0, 18, 0});
        QVERIFY(line(before, "CUDA graphs") == nullptr);
        const Budget after = vllmBudget(llamaOnH100(), {0, 19, 0});
        QVERIFY(line(after, "CUDA graphs") != nullptr);
        QCOMPARE(line(after, "CUDA graphs")->basis, Basis::Estimated);
    }

    void everyLineIsTakenOnce_data()
    {
        QTest::addColumn<QString>("engine");
        for (const EngineRules& rules : engineRules()) {
            QTest::newRow(std::string(rules.name).c_str())
                << QString::fromUtf8(rules.name.data(), qsizetype(rules.name.size()));
        }
    }

    void everyLineIsTakenOnce()
    {
        QFETCH(QString, engine);
        const EngineRules* rules = findEngineRules(engine.toStdString());
        EngineMemory memory = llamaOnH100();
        memory.otherProcesses = bytesFromGib(1);
        const Budget budget = rules->budget(memory, rules->newest);
        Bytes left = budget.capacity;
        for (std::size_t i = 1; i < budget.lines.size(); ++i) {
            const BudgetLine& each = budget.lines[i];
            left -= each.bytes;
            QVERIFY2(each.low <= each.bytes && each.bytes <= each.high, each.name.c_str());
            QVERIFY2(!each.formula.empty(), each.name.c_str());
            QVERIFY2(each.basis != Basis::Known || each.low == each.high, each.name.c_str());
        }
        QCOMPARE(left, budget.usable);
        QVERIFY(budget.usable > bytesFromGib(40));
        // Weights that do not fit leave less than nothing.
        memory.weights = gibs(200);
        QVERIFY(rules->budget(memory, rules->newest).usable < Bytes(0));
    }

    void activationsKnowTheirBand()
    {
        EngineMemory memory = llamaOnH100();
        memory.maxSequences = 0;
        const BudgetLine* activation = nullptr;
        const Budget budget = vllmBudget(memory, {0, 24, 0});
        activation = line(budget, "activations");
        QCOMPARE(activation->bytes, Bytes(qint64{2} * 8192 * 4096 * 11)); // 704 MiB
        QCOMPARE(activation->low * 2, activation->bytes);
        QCOMPARE(activation->high, activation->bytes * 3);
        memory.maxBatchedTokens = Tokens(1);
        QCOMPARE(line(vllmBudget(memory, {0, 24, 0}), "activations")->bytes, Bytes(qint64{70} << 20));
        memory.maxSequences = 256;
        QCOMPARE(line(vllmBudget(memory, {0, 24, 0}), "activations")->bytes,
            Bytes((qint64{70} << 20) + qint64{8} * 256 * 128256));
    }

    void whatTheFractionMeans()
    {
        const EngineMemory memory = logged(80, 0.9, 20, 5, 1);
        const auto pool = [&](auto budget) { return gib(budget(memory, EngineVersion{0, 18, 0}).usable); };
        QVERIFY(std::abs(pool(vllmBudget) - (80 * 0.9 - 26)) < 1e-6); // of the card
        QVERIFY(std::abs(pool(tensorRtBudget) - (80 - 26) * 0.9) < 1e-6); // of what is free
        QVERIFY(std::abs(pool(sglangBudget) - (80 - 21 - 80 * 0.1)) < 1e-6); // what stays out of it holds activations
    }

    void sglangFractionFollowsTheCard()
    {
        QCOMPARE(sglangFraction(bytesFromGib(80), 1, 1), 0.836);
        QVERIFY(sglangFraction(bytesFromGib(80), 8, 1) < 0.836);
        QCOMPARE(sglangFraction(bytesFromGib(1), 1, 1), 0.0);
    }

    void otherProcessesCountWhereTheVersionLooks()
    {
        EngineMemory memory = llamaOnH100();
        const Bytes alone = vllmBudget(memory, {0, 6, 4}).usable;
        const Bytes aloneNow = vllmBudget(memory, {0, 24, 0}).usable;
        memory.otherProcesses = bytesFromGib(3);
        QCOMPARE(alone - vllmBudget(memory, {0, 6, 4}).usable, bytesFromGib(3));
        QCOMPARE(vllmBudget(memory, {0, 24, 0}).usable, aloneNow);
    }
};

QTEST_APPLESS_MAIN(TestEngineBudget)
#include "tst_engine_budget.moc"
