// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_models.h"

#include <QTest>

using namespace kvplan;
using namespace kvplan::testing;

namespace {

using Account = Result<EngineAccount> (*)(const Architecture&, const EngineSetup&, const EngineVersion&);

EngineAccount from(Account rules, const Architecture& model, const EngineSetup& launch, const EngineVersion& version)
{
    auto result = rules(model, launch, version);
    if (!result) {
        qFatal("%s", result.error().sentence().c_str());
    }
    return *result;
}

EngineAccount sglang(const Architecture& model, const EngineSetup& launch)
{
    return from(accountSglang, model, launch, {0, 5, 16});
}

EngineAccount tensorRt(const Architecture& model, const EngineSetup& launch, const EngineVersion& version = {1, 2, 1})
{
    return from(accountTensorRt, model, launch, version);
}

EngineAccount llama(const Architecture& model, const EngineSetup& launch, std::int64_t build = 8700)
{
    return from(accountLlamaCpp, model, launch, {build, 0, 0});
}

EngineSetup cells(std::int64_t context, CacheFormat format = CacheFormat::Fp16, std::int64_t slotCount = 1)
{
    EngineSetup launch = setup(Bytes(0), context);
    launch.formats = both(format);
    launch.maxSequences = slotCount;
    launch.llamaCpp.contextTokens = Tokens(context);
    return launch;
}

double mibOf(const EngineAccount& account, std::string_view key)
{
    return static_cast<double>(figure(account, key)) / mib;
}

EngineSetup slotted(std::int64_t context, std::int64_t slotCount, bool unified)
{
    EngineSetup launch = cells(context, CacheFormat::Fp16, slotCount);
    launch.llamaCpp.unified = unified;
    return launch;
}

} // namespace

class TestOtherEngines : public QObject {
    Q_OBJECT

private slots:
    void llamaCppBuffers_data()
    {
        QTest::addColumn<Architecture>("model");
        QTest::addColumn<EngineSetup>("launch");
        QTest::addColumn<double>("totalMib");
        QTest::newRow("Llama-3-8B f16") << llama8b << cells(8192) << 1024.0;
        QTest::newRow("Llama-3-8B q8_0") << llama8b << cells(8192, CacheFormat::Q8_0) << 544.0;
        QTest::newRow("Llama-3-8B q5_1") << llama8b << cells(8192, CacheFormat::Q5_1) << 384.0;
        QTest::newRow("Llama-3-8B q5_0") << llama8b << cells(8192, CacheFormat::Q5_0) << 352.0;
        QTest::newRow("Llama-3-8B q4_1") << llama8b << cells(8192, CacheFormat::Q4_1) << 320.0;
        QTest::newRow("Llama-3-8B q4_0") << llama8b << cells(8192, CacheFormat::Q4_0) << 288.0;
        QTest::newRow("Llama-3-8B f32") << llama8b << cells(8192, CacheFormat::Fp32) << 2048.0;
        EngineSetup mixed = cells(32768);
        mixed.formats = {CacheFormat::Q8_0, CacheFormat::Q4_0};
        QTest::newRow("keys q8_0, values q4_0") << dense(36, 8, 128) << mixed << 1872.0;
        QTest::newRow("Gemma-3-27B at 131,072") << gemma3_27b << cells(131072) << 10864.0;
        QTest::newRow("Gemma-3-27B, 4 slots apart: four windows each with a micro-batch")
            << gemma3_27b << slotted(4 * 131072, 4, false) << 4 * 10240.0 + 2496.0;
        QTest::newRow("Gemma-3-27B, 4 slots unified: four windows and one micro-batch")
            << gemma3_27b << slotted(131072, 4, true) << 10240.0 + 1872.0;
        QTest::newRow("DeepSeek-V3: keys only") << deepseekV3 << cells(8192) << 8192 * 70272 / mib;
        QTest::newRow("Qwen3.6-27B at 262,144, 4 sequences")
            << qwen35_27b << cells(262144, CacheFormat::Fp16, 4) << 16384.0 + 598.5;
        EngineSetup rollback = cells(4096);
        rollback.llamaCpp.rollbackStates = 4;
        QTest::newRow("Qwen3.6-27B, 4 snapshots to roll back to") << qwen35_27b << rollback << 256.0 + 748.125;
        EngineSetup full = cells(4096);
        full.llamaCpp.fullWindows = true;
        const Architecture gptOss120b
            = of({{18, SlidingAttention{8, 64, 64, Tokens(128)}}, {18, FullAttention{8, 64, 64}}}, 64);
        QTest::newRow("gpt-oss-120b with full windows") << gptOss120b << full << 288.0;
        QTest::newRow("gpt-oss-20b: 768 cells of window") << gptOss20b << cells(131072) << 3072.0 + 18.0;
    }

    void llamaCppBuffers()
    {
        QFETCH(Architecture, model);
        QFETCH(EngineSetup, launch);
        QFETCH(double, totalMib);
        QCOMPARE(mibOf(llama(model, launch), "kv_pool_bytes"), totalMib);
    }

    void llamaCppPadding_data()
    {
        QTest::addColumn<int>("build");
        QTest::addColumn<bool>("flash");
        QTest::addColumn<qint64>("cellsOf1000");
        QTest::addColumn<qint64>("windowCells");
        QTest::newRow("before padding was dropped") << 6000 << true << qint64{1024} << qint64{768};
        QTest::newRow("the same without flash attention") << 6000 << false << qint64{1024} << qint64{640};
        QTest::newRow("while it was dropped") << 6900 << true << qint64{1000} << qint64{640};
        QTest::newRow("since it came back") << 7000 << true << qint64{1024} << qint64{768};
        QTest::newRow("since it came back, without flash attention") << 7000 << false << qint64{1024} << qint64{768};
    }

    void llamaCppPadding()
    {
        QFETCH(int, build);
        QFETCH(bool, flash);
        QFETCH(qint64, cellsOf1000);
        QFETCH(qint64, windowCells);
        EngineSetup launch = cells(1000);
        launch.llamaCpp.flashAttention = flash;
        const EngineAccount result = llama(gptOss20b, launch, build);
        QCOMPARE(figure(result, "cells"), cellsOf1000);
        QCOMPARE(figure(result, "window_cells"), windowCells);
    }

    void llamaCppBeforeWindows()
    {
        const EngineAccount result = llama(gptOss20b, cells(8192), 5000);
        QCOMPARE(figure(result, "window_cells"), -1);
        QCOMPARE(mibOf(result, "kv_pool_bytes"), 384.0);
    }

    void llamaCppFillsMemoryWithSlots()
    {
        EngineSetup launch = setup(Bytes(qint64{10} << 30), 8192);
        launch.formats = both(CacheFormat::Fp16);
        launch.maxSequences = 1;
        QCOMPARE(llama(llama8b, launch).worstCase, 10.0);
        launch.pool = launch.pool - Bytes(1);
        QCOMPARE(llama(llama8b, launch).worstCase, 9.0);
        launch.llamaCpp.contextTokens = Tokens(32768);
        launch.maxSequences = 8;
        QCOMPARE(llama(llama8b, launch).worstCase, 4.0); // unified: four full sequences find cells
    }

    void llamaCppDeviceOfAStage()
    {
        EngineSetup launch = cells(131072);
        launch.layersOfGroup = {1, 2};
        QCOMPARE(mibOf(llama(gptOss20b, launch), "k_bytes") * 2, 512.0);
        launch.layersOfGroup = {2, 1};
        QCOMPARE(mibOf(llama(gptOss20b, launch), "k_bytes") * 2, 256.0);
    }

    void llamaCppWidestValuesWithoutFlash()
    {
        EngineSetup launch = cells(4096);
        launch.llamaCpp.flashAttention = false;
        launch.llamaCpp.fullWindows = true;
        const EngineAccount result = llama(gemma4_31b, launch);
        QCOMPARE(figure(result, "v_bytes"), 10 * qint64{4096} * 4096 * 2); // as wide as 16 heads of 256
        QCOMPARE(figure(result, "k_bytes"), 10 * qint64{4096} * 2048 * 2);
    }

    void sglangPools()
    {
        EngineSetup launch = setup(Bytes(qint64{2454421} * 70272), 131072);
        launch.sharding.tensor = 8;
        const EngineAccount mla = sglang(deepseekV3, launch);
        QCOMPARE(mla.reportedTokens.count(), 2454421);
        QCOMPARE(figure(mla, "kv_bytes"), qint64{2454422} * 70272); // one page more than its tokens
        launch.formats = both(CacheFormat::Nvfp4);
        QCOMPARE(sglang(deepseekV3, launch).pools.front().blockBytes.count(), 19764);

        launch = setup(Bytes(qint64{367404} * 48128), 40960);
        launch.sharding.tensor = 4;
        const EngineAccount qwen = sglang(dense(94, 4, 128, 64), launch);
        QCOMPARE(qwen.reportedTokens.count(), 367404);
        QVERIFY(std::abs(gib(Bytes(figure(qwen, "k_bytes"))) - 8.234) < 0.001);
        QCOMPARE(figure(qwen, "k_bytes"), figure(qwen, "v_bytes"));
        QCOMPARE(qwen.worstCase, 367404.0 / 40960);
    }

    void sglangPages()
    {
        EngineSetup launch = setup(Bytes(qint64{1000} * 131072), 512);
        launch.blockTokens = Tokens(64);
        const EngineAccount result = sglang(llama8b, launch);
        QCOMPARE(result.reportedTokens.count(), 960); // whole pages
        QCOMPARE(figure(result, "k_bytes"), qint64{1024} * 65536);
        QCOMPARE(result.worstCase, 15.0 / 8);
    }

    void sglangWindows()
    {
        // full = M / (F·n_f + r·S·n_s)
        const qint64 full = 7 * qint64{4096};
        const qint64 window = 35 * qint64{2048};
        EngineSetup launch = setup(Bytes(805556 * full + 644444 * window + 60000), 32768);
        const EngineAccount result = sglang(gemma4_E4B, launch);
        QCOMPARE(result.reportedTokens.count(), 805556);
        QCOMPARE(figure(result, "window_tokens"), 644444);
        QCOMPARE(figure(result, "k_bytes"), qint64{805557} * full / 2);
        QCOMPARE(figure(result, "window_k_bytes"), qint64{644445} * window / 2);
        QCOMPARE(result.steadyState, 805556.0 / 32768); // the full pool binds
        launch.sglang.windowRatio = 0.01;
        const EngineAccount narrow = sglang(gemma4_E4B, launch);
        const double windowTokens = static_cast<double>(figure(narrow, "window_tokens"));
        QCOMPARE(narrow.worstCase, windowTokens / (512 + 8192)); // now the windows do
    }

    void sglangStates()
    {
        EngineSetup launch = setup(Bytes(qint64{40} << 30), 8192);
        const EngineAccount result = sglang(qwen35_27b, launch);
        const double states = static_cast<double>(launch.pool.count()) * 0.9 / 1.9;
        const qint64 state = 48 * qint64{3207168};
        QCOMPARE(figure(result, "state_slots"), static_cast<qint64>(states / static_cast<double>(state)));
        QVERIFY(std::abs(static_cast<double>(result.reportedTokens.count()) * 65536
                    - static_cast<double>(launch.pool.count()) / 1.9)
            < 65537);
        // The radix tree holds two states for each that runs.
        const double running = static_cast<double>(figure(result, "state_slots")) / 3;
        QCOMPARE(result.worstCase, std::min(running, static_cast<double>(result.reportedTokens.count()) / 8192));
        launch.sglang.radixCache = false;
        QVERIFY(sglang(qwen35_27b, launch).pools.front().perSequence(Tokens(8192)) == Blocks(1));
    }

    void tensorRtBlocks_data()
    {
        QTest::addColumn<CacheFormats>("formats");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("fp16") << both(CacheFormat::Fp16) << qint64{4194304};
        QTest::newRow("fp8") << both(CacheFormat::Fp8) << qint64{2097152};
        QTest::newRow("nvfp4") << both(CacheFormat::Nvfp4) << qint64{1179648};
    }

    void tensorRtBlocks()
    {
        QFETCH(CacheFormats, formats);
        QFETCH(qint64, bytes);
        EngineSetup launch = setup(Bytes(10 * bytes + 1), 8192);
        launch.formats = formats;
        const EngineAccount result = tensorRt(llama8b, launch);
        QCOMPARE(result.pools.front().blockBytes.count(), bytes);
        QCOMPARE(result.pools.front().blocks.count(), 11); // rounded up
        QCOMPARE(result.reportedTokens.count(), 11 * 32);
        QCOMPARE(tensorRt(llama8b, launch, {0, 14, 0}).pools.front().groups.front().blockTokens, Tokens(64));
    }

    void tensorRtEstimateAgainstAllocation()
    {
        EngineSetup launch = setup(Bytes(qint64{40} << 30), 8192);
        launch.sharding.tensor = 16;
        const EngineAccount result = tensorRt(llama70b, launch);
        QCOMPARE(figure(result, "estimated_bytes_per_token"), 20480);
        QCOMPARE(result.pools.front().blockBytes.count(), 32 * 40960);
    }

    void tensorRtCapsTokens()
    {
        EngineSetup launch = setup(Bytes(qint64{40} << 30), 8192);
        launch.tensorRt.maxTokens = Tokens(12800);
        const EngineAccount result = tensorRt(llama8b, launch);
        QCOMPARE(result.reportedTokens.count(), 12800);
        QCOMPARE(figure(result, "kv_pool_bytes"), qint64{12800} * 131072);
    }

    void tensorRtWindows()
    {
        EngineSetup launch = setup(Bytes(qint64{8} << 30), 8192);
        const EngineAccount result = tensorRt(gptOss20b, launch);
        QCOMPARE(result.pools.size(), std::size_t{2});
        // Equal rows: memory goes as 128 : 8,192.
        QCOMPARE(result.pools[0].blocks.count(), ceilDivide(qint64{8} << 30, qint64{65} * 786432));
        QCOMPARE(result.pools[1].blocks.count(), ceilDivide((qint64{8} << 30) * 64, qint64{65} * 786432));
        const double window = static_cast<double>(result.pools[0].blocks.count()) / 5;
        const double full = static_cast<double>(result.pools[1].blocks.count()) / 256;
        QCOMPARE(result.worstCase, std::min(window, full));
        launch.maxModelLen = Tokens(128); // a window that never slides
        QCOMPARE(tensorRt(gptOss20b, launch).pools.size(), std::size_t{1});
    }

    void everyByteHasAName_data()
    {
        QTest::addColumn<Architecture>("model");
        QTest::newRow("dense") << llama8b;
        QTest::newRow("latent") << deepseekV3;
        QTest::newRow("windows") << gptOss20b;
        QTest::newRow("windows of other rows") << gemma4_31b;
        QTest::newRow("states") << qwen35_27b;
    }

    void everyByteHasAName()
    {
        QFETCH(Architecture, model);
        for (const EngineRules& rules : engineRules()) {
            for (const int length : {1, 100, 1024, 5000, 131072}) {
                EngineSetup launch = setup(Bytes(qint64{32} << 30), length);
                launch.maxSequences = 4;
                const auto result = rules.account(model, launch, rules.newest);
                QVERIFY2(result, result ? "" : result.error().sentence().c_str());
                Bytes named;
                for (const NamedBytes& line : result->sequence) {
                    QVERIFY2(line.bytes.count() >= 0, line.name.c_str());
                    named += line.bytes;
                }
                QCOMPARE(named, result->sequenceBytes(Tokens(length)));
                QVERIFY(result->steadyBytes(Tokens(length)) <= result->sequenceBytes(Tokens(length)));
                QVERIFY(result->worstCase <= result->steadyState);
            }
        }
    }

    void versions_data()
    {
        QTest::addColumn<QString>("engine");
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("taken");
        QTest::addColumn<QString>("says");
        QTest::newRow("none: the newest known") << "vllm"
                                                << ""
                                                << "0.24.0"
                                                << "";
        QTest::newRow("a candidate is its release") << "vllm"
                                                    << "v0.17.1rc1"
                                                    << "0.17.1"
                                                    << "";
        QTest::newRow("newer than any rule") << "vllm"
                                             << "1.3.0"
                                             << "0.24.0"
                                             << "newer";
        QTest::newRow("older than any rule") << "vllm"
                                             << "0.1.4"
                                             << "0.2.0"
                                             << "older";
        QTest::newRow("not a version") << "sglang"
                                       << "nightly"
                                       << "0.5.16"
                                       << "names no version";
        QTest::newRow("a build") << "llama.cpp"
                                 << "b6869 (85a7d86)"
                                 << "6869.0.0"
                                 << "";
        QTest::newRow("open end") << "vllm"
                                  << "0.13.x"
                                  << "0.13.0"
                                  << "";
    }

    void versions()
    {
        QFETCH(QString, engine);
        QFETCH(QString, asked);
        QFETCH(QString, taken);
        QFETCH(QString, says);
        const EngineRules* rules = findEngineRules(engine.toStdString());
        QVERIFY(rules != nullptr);
        const ChosenVersion chosen = chooseVersion(*rules, asked.toStdString());
        QCOMPARE(text(chosen.version), taken.toStdString());
        QVERIFY(says.isEmpty() ? chosen.note.empty() : QString::fromStdString(chosen.note).contains(says));
        QVERIFY(findEngineRules("vLLM?") == nullptr);
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("engine");
        QTest::addColumn<Architecture>("model");
        QTest::addColumn<EngineSetup>("launch");
        QTest::addColumn<QString>("says");
        EngineSetup quantised = cells(4096, CacheFormat::Q8_0);
        quantised.llamaCpp.flashAttention = false;
        QTest::newRow("quantised values without flash attention") << "llama.cpp" << llama8b << quantised << "flash";
        EngineSetup split = cells(4096);
        split.sharding.tensor = 2;
        QTest::newRow("heads over devices") << "llama.cpp" << llama8b << split << "whole layers";
        EngineSetup crowded = cells(4, CacheFormat::Fp16, 8);
        QTest::newRow("less than a token a slot") << "llama.cpp" << llama8b << crowded << "slots";
        const Architecture narrow = dense(12, 8, 80);
        QTest::newRow("rows that q8_0 does not divide")
            << "llama.cpp" << narrow << cells(4096, CacheFormat::Q8_0) << "80";
        const Architecture encoder = of({{4, CrossAttention{8, 64, 64, Tokens(1500)}}});
        for (const char* engine : {"llama.cpp", "sglang", "tensorrt-llm"}) {
            QTest::addRow("an encoder, %s", engine) << engine << encoder << cells(4096) << "encoder";
        }
        EngineSetup noPage = cells(4096);
        noPage.blockTokens = Tokens(0);
        for (const char* engine : {"sglang", "tensorrt-llm"}) {
            QTest::addRow("a block of nothing, %s", engine) << engine << llama8b << noPage << "of 0 tokens";
        }
    }

    void refusals()
    {
        QFETCH(QString, engine);
        QFETCH(Architecture, model);
        QFETCH(EngineSetup, launch);
        QFETCH(QString, says);
        const EngineRules* rules = findEngineRules(engine.toStdString());
        const auto result = rules->account(model, launch, rules->newest);
        QVERIFY(!result);
        QVERIFY2(QString::fromStdString(result.error().sentence()).contains(says), result.error().sentence().c_str());
    }
};

QTEST_APPLESS_MAIN(TestOtherEngines)
#include "tst_other_engines.moc"
