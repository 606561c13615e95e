// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_models.h"

#include <QTest>

using namespace kvplan;
using namespace kvplan::testing;

namespace {

const EngineVersion older{0, 19, 0};
const EngineVersion newer{0, 24, 0};
constexpr Bytes big{std::int64_t{64} << 30};

EngineAccount account(const Architecture& model, const EngineSetup& with, const EngineVersion& version = newer)
{
    auto result = accountVllm(model, with, version);
    if (!result) {
        qFatal("%s", result.error().sentence().c_str());
    }
    return *result;
}

EngineSetup with(std::int64_t length, CacheFormat format = CacheFormat::Bf16, std::int64_t tensor = 1)
{
    EngineSetup result = setup(big, length);
    result.formats = both(format);
    result.sharding.tensor = tensor;
    return result;
}

EngineSetup batched(std::int64_t length, std::int64_t tokens)
{
    EngineSetup result = with(length);
    result.maxBatchedTokens = Tokens(tokens);
    return result;
}

} // namespace

class TestVllm : public QObject {
    Q_OBJECT

private slots:
    void blockBytes_data()
    {
        QTest::addColumn<Architecture>("model");
        QTest::addColumn<EngineSetup>("launch");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("Llama-3-8B bf16") << llama8b << with(8192) << qint64{2097152};
        QTest::newRow("Llama-3-8B fp8") << llama8b << with(8192, CacheFormat::Fp8) << qint64{1048576};
        QTest::newRow("Llama-3-8B int8 with a scale a token and head")
            << llama8b << with(8192, CacheFormat::Int8PerTokenHead) << qint64{1081344};
        QTest::newRow("Llama-3-8B fp8 with a scale a token and head")
            << llama8b << with(8192, CacheFormat::Fp8PerTokenHead) << qint64{1081344};
        QTest::newRow("Llama-3-8B nvfp4") << llama8b << with(8192, CacheFormat::Nvfp4) << qint64{589824};
        for (const auto& [tensor, bytes] :
            {std::pair{1, 5242880}, {2, 2621440}, {4, 1310720}, {8, 655360}, {16, 655360}}) {
            QTest::addRow("Llama-70B, TP %d", tensor)
                << llama70b << with(8192, CacheFormat::Bf16, tensor) << qint64{bytes};
        }
        for (const int tensor : {1, 8, 16}) {
            QTest::addRow("DeepSeek-V3 in blocks of 64, TP %d", tensor)
                << deepseekV3 << with(8192, CacheFormat::Bf16, tensor) << qint64{64} * 70272;
        }
        QTest::newRow("DeepSeek-V3.2 fp8_ds_mla and its indexer")
            << deepseekV32 << with(8192, CacheFormat::Fp8DsMla, 8) << qint64{64} * 48068;
        QTest::newRow("gpt-oss-20b, 12 layers a group") << gptOss20b << with(8192) << qint64{393216};
        QTest::newRow("Gemma-3-27B, 10 layers a group") << gemma3_27b << with(8192) << qint64{1310720};
        QTest::newRow("Gemma-4-31B, 10 layers a group") << gemma4_31b << with(8192) << qint64{2621440};
        QTest::newRow("Qwen3.5-27B, 16 layers a group") << qwen35_27b << with(8192) << qint64{51380224};
    }

    void blockBytes()
    {
        QFETCH(Architecture, model);
        QFETCH(EngineSetup, launch);
        QFETCH(qint64, bytes);
        const EngineAccount result = account(model, launch);
        QCOMPARE(result.pools.front().blockBytes.count(), bytes);
        QCOMPARE(result.pools.front().blocks.count(), big.count() / bytes);
        QCOMPARE(figure(result, "pool_blocks"), big.count() / bytes);
    }

    void blocksOfASequence_data()
    {
        QTest::addColumn<Architecture>("model");
        QTest::addColumn<EngineSetup>("launch");
        QTest::addColumn<qint64>("worst");
        QTest::addColumn<qint64>("steady");
        QTest::newRow("gpt-oss-20b at 8,192, batches of 2,048")
            << gptOss20b << batched(8192, 2048) << qint64{649} << qint64{521};
        QTest::newRow("gpt-oss-20b at 8,192, batches of 8,192")
            << gptOss20b << batched(8192, 8192) << qint64{1025} << qint64{521};
        QTest::newRow("gpt-oss-20b at 131,072, batches of 2,048")
            << gptOss20b << batched(131072, 2048) << qint64{8329} << qint64{8201};
        QTest::newRow("gpt-oss-20b at 131,072, batches of 8,192")
            << gptOss20b << batched(131072, 8192) << qint64{8713} << qint64{8201};
        QTest::newRow("Gemma-3-27B at 131,072, batches of 2,048")
            << gemma3_27b << batched(131072, 2048) << qint64{9350} << qint64{8192 + 6 * 65};
        QTest::newRow("Gemma-3-27B at 131,072, batches of 8,192")
            << gemma3_27b << batched(131072, 8192) << qint64{11654} << qint64{8192 + 6 * 65};
        QTest::newRow("Gemma-4-31B at 262,144") << gemma4_31b << batched(262144, 8192) << qint64{11077} << qint64{8517};
        QTest::newRow("Gemma-4-31B at 8,192") << gemma4_31b << batched(8192, 8192) << qint64{2821} << qint64{581};
        QTest::newRow("Qwen3.5-27B at 32,768") << qwen35_27b << with(32768) << qint64{45} << qint64{45};
        QTest::newRow("Qwen3.5-27B at 12") << qwen35_27b << with(12) << qint64{4} << qint64{4};
        EngineSetup aligned = with(32768);
        aligned.vllm.stateCaching = StateCaching::Aligned;
        QTest::newRow("Qwen3.5-27B at 32,768, prefix caching") << qwen35_27b << aligned << qint64{48} << qint64{48};
        EngineSetup split = with(131072, CacheFormat::Bf16, 8);
        split.sharding.decodeContext = 8;
        QTest::newRow("DeepSeek-V3 at 131,072 on 8 decode-context ranks")
            << deepseekV3 << split << qint64{256} << qint64{256};
        QTest::newRow("a length that fills no block") << llama8b << with(8193) << qint64{513} << qint64{513};
        const Architecture llama4
            = of({{36, ChunkedAttention{8, 128, 128, Tokens(8192)}}, {12, FullAttention{8, 128, 128}}});
        QTest::newRow("chunked attention keeps a chunk and what is in flight")
            << llama4 << batched(131072, 8192) << qint64{8192 + 3 * 1024} << qint64{8192 + 3 * 512};
        const Architecture whisper
            = of({{32, FullAttention{20, 64, 64}}, {32, CrossAttention{20, 64, 64, Tokens(1500)}}}, 20);
        QTest::newRow("an encoder's keys, whatever the length")
            << whisper << with(448) << qint64{28 + 94} << qint64{28 + 94};
    }

    void blocksOfASequence()
    {
        QFETCH(Architecture, model);
        QFETCH(EngineSetup, launch);
        QFETCH(qint64, worst);
        QFETCH(qint64, steady);
        const EngineAccount result = account(model, launch);
        QCOMPARE(result.pools.front().perSequence(launch.maxModelLen).count(), worst);
        QCOMPARE(result.pools.front().steadyPerSequence(launch.maxModelLen).count(), steady);
        // Whatever is taken has a name.
        Bytes named;
        for (const NamedBytes& line : result.sequence) {
            QVERIFY2(line.bytes.count() >= 0, line.name.c_str());
            named += line.bytes;
        }
        QCOMPARE(named, result.sequenceBytes(launch.maxModelLen));
    }

    void groupsAndPadding()
    {
        const EngineAccount gemma3 = account(gemma3_27b, with(131072));
        QCOMPARE(figure(gemma3, "groups"), 7);
        QCOMPARE(figure(gemma3, "padding_layers"), 8);
        QCOMPARE(figure(account(gemma3_1b, with(2048)), "padding_layers"), 2);
        const EngineAccount gemma4 = account(gemma4_31b, with(131072));
        QCOMPARE(figure(gemma4, "groups"), 6);
        QCOMPARE(gemma4.pools.front().groups.back().blockTokens, Tokens(32)); // shorter rows, longer block
        QCOMPARE(gemma4.pools.front().groups.front().blockTokens, Tokens(16));
        // Kinds less than half as many again as the smallest make one group each.
        const Architecture close = of({{29, SlidingAttention{8, 64, 64, Tokens(128)}}, {20, FullAttention{8, 64, 64}}});
        QCOMPARE(figure(account(close, with(8192)), "groups"), 2);
        const Architecture apart = of({{30, SlidingAttention{8, 64, 64, Tokens(128)}}, {20, FullAttention{8, 64, 64}}});
        QCOMPARE(figure(account(apart, with(8192)), "groups"), 3);
    }

    void wasteByName()
    {
        EngineSetup launch = batched(8192, 8192);
        const EngineAccount gemma4 = account(gemma4_31b, launch);
        const qint64 layer = 50 * qint64{16384};
        QCOMPARE(bytesNamed(gemma4.sequence, "in-flight reserve"), layer * (513 - 65) * 16);
        QCOMPARE(bytesNamed(gemma4.sequence, payloadName), layer * 1024 + 10 * qint64{8192} * 8192);
        QCOMPARE(bytesNamed(gemma4.sequence, "block tail"), layer * 16);
        // 8,200 tokens fill 513 blocks of 16 with 8 to spare, and 257 of 32 with 24.
        launch.maxModelLen = Tokens(8200);
        QCOMPARE(bytesNamed(account(gemma4_31b, launch).sequence, "page unification"), 10 * qint64{8192} * 16);
        const EngineAccount qwen = account(qwen35_27b, with(32768));
        QCOMPARE(bytesNamed(qwen.sequence, "state padding"), 48 * qint64{3211264 - 3207168});
        const EngineAccount gemma3 = account(gemma3_27b, batched(131072, 2048));
        QCOMPARE(bytesNamed(gemma3.sequence, "padding layers"), 8 * qint64{131072} * 193);
        const EngineAccount replicated = account(llama70b, with(8192, CacheFormat::Bf16, 16));
        QCOMPARE(bytesNamed(replicated.sequence, "replication"), 8192 * qint64{20480});
        QCOMPARE(bytesNamed(account(llama70b, with(8192, CacheFormat::Bf16, 8)).sequence, "replication"), 0);
        QCOMPARE(bytesNamed(account(deepseekV3, with(8192, CacheFormat::Bf16, 8)).sequence, "replication"),
            8192 * qint64{70272} * 7 / 8);
        QCOMPARE(bytesNamed(gemma3.poolWaste, "null block"), 1310720);
        QCOMPARE(bytesNamed(gemma3.poolWaste, "less than a block"), big.count() % 1310720);
    }

    void statePages_data()
    {
        QTest::addColumn<Architecture>("model");
        QTest::addColumn<CacheFormats>("formats");
        QTest::addColumn<qint64>("tensor");
        QTest::addColumn<qint64>("draft");
        QTest::addColumn<qint64>("block");
        QTest::addColumn<double>("paddingPercent");
        const CacheFormats fp8 = both(CacheFormat::Fp8);
        const CacheFormats bf16 = both(CacheFormat::Bf16);
        QTest::newRow("Qwen3.5-27B fp16")
            << qwen35_27b << both(CacheFormat::Fp16) << qint64{1} << qint64{0} << qint64{784} << 0.13;
        QTest::newRow("Qwen3.5-27B fp8: twice the tokens")
            << qwen35_27b << fp8 << qint64{1} << qint64{0} << qint64{1568} << 0.13;
        QTest::newRow("27B fp8 TP 2, 3 draft tokens")
            << qwen35_27b << fp8 << qint64{2} << qint64{3} << qint64{1600} << 0.25;
        QTest::newRow("27B fp8 TP 2, 7 draft tokens")
            << qwen35_27b << fp8 << qint64{2} << qint64{7} << qint64{1648} << 0.73;
        QTest::newRow("Qwen3.5-35B-A3B fp8: no padding")
            << qwen35_35b << fp8 << qint64{1} << qint64{0} << qint64{2096} << 0.0;
        QTest::newRow("35B-A3B fp8, 2 draft tokens")
            << qwen35_35b << fp8 << qint64{1} << qint64{2} << qint64{2128} << -1.0;
        QTest::newRow("35B-A3B fp8, 3 draft tokens")
            << qwen35_35b << fp8 << qint64{1} << qint64{3} << qint64{2144} << -1.0;
        QTest::newRow("Qwen3.5-0.8B bf16") << qwen35_08b << bf16 << qint64{1} << qint64{0} << qint64{544} << 2.64;
        QTest::newRow("Nemotron 30B-A3B fp8, fp32 state")
            << nemotronNano << fp8 << qint64{1} << qint64{0} << qint64{4176} << 0.19;
    }

    void statePages()
    {
        QFETCH(Architecture, model);
        QFETCH(CacheFormats, formats);
        QFETCH(qint64, tensor);
        QFETCH(qint64, draft);
        QFETCH(qint64, block);
        QFETCH(double, paddingPercent);
        EngineSetup launch = setup(big, 32768);
        launch.formats = formats;
        launch.sharding.tensor = tensor;
        launch.speculativeTokens = draft;
        const EngineAccount result = account(model, launch);
        const CacheGroup& states = result.pools.front().groups.front();
        const CacheGroup& attention = result.pools.front().groups.back();
        QCOMPARE(attention.blockTokens.count(), block);
        if (paddingPercent >= 0) {
            const double padding
                = 100.0 * static_cast<double>(states.pagePadding.count()) / static_cast<double>(states.fixed.count());
            QVERIFY2(std::abs(padding - paddingPercent) < 0.0051, qPrintable(QString::number(padding)));
        }
    }

    void draftLayersJoinTheFullGroup()
    {
        EngineSetup launch = with(262144, CacheFormat::Fp8);
        launch.draftLayers = 1;
        launch.speculativeTokens = 3;
        const EngineAccount result = account(qwen35_35b, launch);
        QCOMPARE(result.pools.front().groups.back().layers, 11);
        QCOMPARE(figure(result, "padding_layers"), 3); // 30 states in three groups of 11
    }

    void reportedLines_data()
    {
        QTest::addColumn<Architecture>("model");
        QTest::addColumn<EngineSetup>("launch");
        QTest::addColumn<EngineVersion>("version");
        QTest::addColumn<qint64>("blocks");
        QTest::addColumn<qint64>("tokens");
        QTest::addColumn<double>("concurrency");
        const EngineVersion v0{0, 6, 3};
        EngineSetup gemma = batched(262144, 8192);
        gemma.pool = bytesFromGib(64.68);
        QTest::newRow("Gemma-4-31B, H200, 0.24: tokens are concurrency × length")
            << gemma4_31b << gemma << newer << qint64{26492} << qint64{626949} << 2.3916;
        QTest::newRow("Gemma-4-31B before 0.20.1: as if all 60 layers were full")
            << gemma4_31b << gemma << older << qint64{26492} << qint64{26492 / 6 * 16} << 2.3916;
        EngineSetup qwen = with(32768);
        qwen.pool = Bytes(qint64{1487} * 51380224);
        QTest::newRow("Qwen3.5-27B, 0.19: tokens understate the hybrid")
            << qwen35_27b << qwen << older << qint64{1487} << qint64{290864} << 33.0444;
        EngineSetup short20k = with(20000);
        short20k.pool = Bytes(qint64{1952} * 2097152);
        QTest::newRow("Llama-3.1-8B, V0, 20,000 tokens")
            << llama8b << short20k << v0 << qint64{1952} << qint64{31232} << 1.5616;
        EngineSetup long29k = with(29000);
        long29k.pool = Bytes(qint64{1478} * 2097152);
        QTest::newRow("Llama-3.1-8B, V0, 29,000 tokens")
            << llama8b << long29k << v0 << qint64{1478} << qint64{23648} << 0.8154;
    }

    void reportedLines()
    {
        QFETCH(Architecture, model);
        QFETCH(EngineSetup, launch);
        QFETCH(EngineVersion, version);
        QFETCH(qint64, blocks);
        QFETCH(qint64, tokens);
        QFETCH(double, concurrency);
        const EngineAccount result = account(model, launch, version);
        QCOMPARE(figure(result, "pool_blocks"), blocks);
        QCOMPARE(result.reportedTokens.count(), tokens);
        QVERIFY2(std::abs(result.reportedConcurrency - concurrency) < 0.0001,
            qPrintable(QString::number(result.reportedConcurrency, 'f', 6)));
    }

    void theNullBlockIsNotAdmitted()
    {
        EngineSetup launch = with(160);
        launch.pool = Bytes(100 * 2097152);
        const EngineAccount result = account(llama8b, launch);
        QCOMPARE(result.reportedConcurrency, 10.0);
        QCOMPARE(result.worstCase, 9.9);
        QCOMPARE(account(llama8b, launch, {0, 7, 0}).worstCase, 10.0); // V0 had none
    }

    void swapBlocksOfV0()
    {
        const EngineVersion v0{0, 6, 3};
        QCOMPARE(figure(account(llama8b, with(8192), v0), "cpu_blocks"), 2048);
        QCOMPARE(figure(account(dense(32, 32, 128, 32), with(8192), v0), "cpu_blocks"), 512);
        QCOMPARE(figure(account(dense(32, 32, 128, 32), with(8192, CacheFormat::Fp16, 2), v0), "cpu_blocks"), 1024);
        QCOMPARE(figure(account(llama8b, with(8192)), "cpu_blocks"), -1);
    }

    void beforeTheHybridAllocatorWindowsKeepEverything()
    {
        const EngineAccount result = account(gptOss20b, with(131072), {0, 8, 3});
        QCOMPARE(result.pools.front().perSequence(Tokens(131072)).count(), 8192);
        QCOMPARE(result.pools.front().blockBytes.count(), 24 * qint64{32768});
    }

    void refusals_data()
    {
        QTest::addColumn<Architecture>("model");
        QTest::addColumn<EngineSetup>("launch");
        QTest::addColumn<EngineVersion>("version");
        QTest::addColumn<QString>("says");
        QTest::newRow("TP that divides no query heads")
            << llama8b << with(8192, CacheFormat::Bf16, 3) << newer << "query heads";
        QTest::newRow("TP that neither divides KV heads nor is a multiple")
            << dense(40, 10, 128, 40) << with(8192, CacheFormat::Bf16, 4) << newer << "10 KV heads";
        EngineSetup split = with(8192);
        split.sharding.decodeContext = 2;
        QTest::newRow("decode-context ranks with windows") << gptOss20b << split << newer << "decode-context";
        QTest::newRow("states in V0") << qwen35_27b << with(8192) << EngineVersion{0, 6, 3} << "recurrent states";
        QTest::newRow("compressed entries")
            << of({{43, CompressedAttention{512, 4, Tokens(128), 128}}}) << with(8192) << newer << "compressed";
        QTest::newRow("nothing to keep") << of({{4, SharedCache{}}}) << with(8192) << newer << "no layer";
        EngineSetup noBlock = with(8192);
        noBlock.blockTokens = Tokens(0);
        QTest::newRow("a block of nothing") << llama8b << noBlock << newer << "block of 0";
        EngineSetup stage = with(8192);
        stage.layersOfGroup = {1, 2};
        QTest::newRow("a stage of other groups") << llama8b << stage << newer << "layers of 2 groups";
        EngineSetup endless = with(8192);
        endless.blockTokens = Tokens(INT64_MAX / 2);
        QTest::newRow("blocks beyond 64 bits") << llama8b << endless << newer << "64 bits";
    }

    void refusals()
    {
        QFETCH(Architecture, model);
        QFETCH(EngineSetup, launch);
        QFETCH(EngineVersion, version);
        QFETCH(QString, says);
        const auto result = accountVllm(model, launch, version);
        QVERIFY(!result);
        QVERIFY2(QString::fromStdString(result.error().sentence()).contains(says), result.error().sentence().c_str());
    }

    void anEmptyPoolAdmitsNothing()
    {
        for (const qint64 bytes : {qint64{-1}, qint64{0}, qint64{1000}}) {
            const EngineAccount result = account(llama8b, setup(Bytes(bytes), 8192));
            QCOMPARE(result.worstCase, 0.0);
            QCOMPARE(result.reportedTokens.count(), 0);
        }
    }

    void stagesOfUnequalLength()
    {
        // A pool that gives 8 layers 20,480 blocks gives 56 layers a seventh of it.
        const Architecture model = dense(64, 8, 128, 64);
        EngineSetup shortStage = with(8192);
        shortStage.layersOfGroup = {8};
        shortStage.pool = Bytes(qint64{20480} * 8 * 65536);
        EngineSetup longStage = shortStage;
        longStage.layersOfGroup = {56};
        QCOMPARE(account(model, shortStage).reportedTokens.count(), 327680);
        QCOMPARE(account(model, longStage).reportedTokens.count() / 8192 * 8192, 46800 / 8192 * 8192);
        QCOMPARE(figure(account(model, longStage), "pool_blocks") * 16, 46800);
    }
};

QTEST_APPLESS_MAIN(TestVllm)
#include "tst_vllm.moc"
