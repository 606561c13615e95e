// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/group_bytes.h"

#include <QTest>

using namespace kvplan;

namespace {

Architecture of(std::vector<AttentionGroup> groups, std::vector<std::int32_t> order = {})
{
    Architecture architecture;
    architecture.groups = std::move(groups);
    architecture.order = std::move(order);
    for (const AttentionGroup& group : architecture.groups) {
        architecture.layers += group.layers;
    }
    return architecture;
}

const Architecture llama8b = of({{32, FullAttention{8, 128, 128}}});
const Architecture llama70b = of({{80, FullAttention{8, 128, 128}}});
const Architecture deepseekV3 = of({{61, LatentAttention{512, 64, 0}}});
const Architecture deepseekV32 = of({{61, LatentAttention{512, 64, 128}}});
const Architecture glm5 = of({{78, LatentAttention{512, 64, 128}}});
const Architecture gptOss20b = of({{12, SlidingAttention{8, 64, 64, Tokens(128)}}, {12, FullAttention{8, 64, 64}}});
const Architecture gemma3_27b
    = of({{52, SlidingAttention{16, 128, 128, Tokens(1024)}}, {10, FullAttention{16, 128, 128}}});
const Architecture gemma4_31b
    = of({{50, SlidingAttention{16, 256, 256, Tokens(1024)}}, {10, FullAttention{4, 512, 512}}});
const Architecture qwen35_27b = of({{48, RecurrentState{786432, 30720, 4, 2}}, {16, FullAttention{4, 256, 256}}});

constexpr CacheFormats bf16{CacheFormat::Bf16, CacheFormat::Bf16};
constexpr CacheFormats fp8{CacheFormat::Fp8, CacheFormat::Fp8};

} // namespace

class TestGroupBytes : public QObject {
    Q_OBJECT

private slots:
    void workedFigures_data()
    {
        QTest::addColumn<Architecture>("model");
        QTest::addColumn<CacheFormats>("formats");
        QTest::addColumn<qint64>("tensor");
        QTest::addColumn<qint64>("context");
        QTest::addColumn<qint64>("bytes");
        const qint64 one = 1;
        QTest::newRow("32 × 8 × 128, a token") << llama8b << bf16 << one << one << qint64{131072};
        QTest::newRow("32 × 8 × 128, 8,192 tokens are 1 GiB")
            << llama8b << bf16 << one << qint64{8192} << qint64{1} * (1 << 30);
        QTest::newRow("fp8 halves it") << llama8b << fp8 << one << one << qint64{65536};
        QTest::newRow("int8 with a scale a token and head, 16 tokens")
            << llama8b << CacheFormats{CacheFormat::Int8PerTokenHead, CacheFormat::Int8PerTokenHead} << one
            << qint64{16} << qint64{1081344};
        QTest::newRow("nvfp4, 16 tokens")
            << llama8b << CacheFormats{CacheFormat::Nvfp4, CacheFormat::Nvfp4} << one << qint64{16} << qint64{589824};
        QTest::newRow("keys fp8, values bf16")
            << llama8b << CacheFormats{CacheFormat::Fp8, CacheFormat::Bf16} << one << one << qint64{98304};
        QTest::newRow("70B, 16 tokens, TP 1") << llama70b << bf16 << one << qint64{16} << qint64{5242880};
        QTest::newRow("70B, 16 tokens, TP 2") << llama70b << bf16 << qint64{2} << qint64{16} << qint64{2621440};
        QTest::newRow("70B, 16 tokens, TP 4") << llama70b << bf16 << qint64{4} << qint64{16} << qint64{1310720};
        QTest::newRow("70B, 16 tokens, TP 8") << llama70b << bf16 << qint64{8} << qint64{16} << qint64{655360};
        QTest::newRow("70B, 16 tokens, TP 16 replicates")
            << llama70b << bf16 << qint64{16} << qint64{16} << qint64{655360};
        QTest::newRow("a latent is one tensor, not two") << deepseekV3 << bf16 << one << one << qint64{70272};
        QTest::newRow("a latent stays whole at TP 8") << deepseekV3 << bf16 << qint64{8} << one << qint64{70272};
        QTest::newRow("an indexer adds 132 bytes a layer") << deepseekV32 << bf16 << one << one << qint64{78324};
        QTest::newRow("fp8_ds_mla with an indexer")
            << deepseekV32 << CacheFormats{CacheFormat::Fp8DsMla, CacheFormat::Fp8DsMla} << one << one << qint64{48068};
        QTest::newRow("GLM-5 with its indexer") << glm5 << bf16 << one << one << qint64{100152};
        QTest::newRow("gpt-oss-20b at 8,192: window theory 195.0 MiB")
            << gptOss20b << bf16 << one << qint64{8192} << qint64{195} * (1 << 20);
        QTest::newRow("gpt-oss-20b at 131,072: 3,075 MiB")
            << gptOss20b << bf16 << one << qint64{131072} << qint64{3075} * (1 << 20);
        QTest::newRow("a window longer than the sequence caps nothing")
            << gptOss20b << bf16 << one << qint64{100} << qint64{24 * 2048 * 100};
        QTest::newRow("Gemma-3-27B at 131,072 in llama.cpp's cells without padding")
            << gemma3_27b << bf16 << one << qint64{131072} << (qint64{10} * 131072 + 52 * 1024) * 8192;
        QTest::newRow("Gemma-4-31B at 8,192: 1.41 GiB")
            << gemma4_31b << bf16 << one << qint64{8192} << qint64{50} * 1024 * 16384 + qint64{10} * 8192 * 8192;
        QTest::newRow("a recurrent state does not grow")
            << qwen35_27b << bf16 << one << one << qint64{153944064} + 65536;
        QTest::newRow("a recurrent state splits over ranks")
            << qwen35_27b << bf16 << qint64{4} << one << qint64{153944064} / 4 + 16384;
    }
    void workedFigures()
    {
        QFETCH(Architecture, model);
        QFETCH(CacheFormats, formats);
        QFETCH(qint64, tensor);
        QFETCH(qint64, context);
        QFETCH(qint64, bytes);
        QVERIFY(checkFormats(model, formats));
        QCOMPARE(sequenceCost(model, formats, {tensor, 1}, 1, Tokens(context)).total.count(), bytes);
    }

    void threeFiguresOfAHybrid()
    {
        const SequenceCost cost = sequenceCost(gemma4_31b, bf16, {}, 1, Tokens(8192));
        QCOMPARE(cost.growing.count(), qint64{50} * 16384 + 10 * 8192);
        QCOMPARE(cost.marginal.count(), qint64{81920});
        QCOMPARE(cost.state.count(), qint64{0});
        QCOMPARE(sequenceCost(qwen35_27b, bf16, {}, 1, Tokens(8192)).state.count(), qint64{153944064});
    }

    void compressedEntriesStandBesideAWindow()
    {
        const Architecture model = of({{2, CompressedAttention{512, 4, Tokens(128), 128}}});
        // 1,000 tokens: 128 plain ones, 250 compressed ones with an indexer key of 132 bytes.
        QCOMPARE(sequenceCost(model, bf16, {}, 1, Tokens(1000)).total.count(),
            qint64{2} * (128 * 1024 + 250 * (1024 + 132)));
        // One token more begins an entry.
        QCOMPARE(sequenceCost(model, bf16, {}, 1, Tokens(1001)).total.count(),
            qint64{2} * (128 * 1024 + 251 * (1024 + 132)));
    }

    void sharedLayersHoldNothingAndCrossLayersAreFixed()
    {
        const Architecture model = of({{4, SharedCache{}}, {3, CrossAttention{8, 64, 64, Tokens(1500)}},
            {2, ChunkedAttention{8, 64, 64, Tokens(8192)}}});
        const qint64 cross = qint64{3} * 1500 * 8 * 128 * 2;
        QCOMPARE(sequenceCost(model, bf16, {}, 1, Tokens(10)).total.count(), cross + 2 * 10 * 2048);
        QCOMPARE(sequenceCost(model, bf16, {}, 1, Tokens(20000)).total.count(), cross + 2 * 8192 * 2048);
    }

    void theTightestStageBinds()
    {
        // 5 layers over 2 stages: the first holds 3. Its full layers come first.
        const Architecture model
            = of({{2, FullAttention{8, 64, 64}}, {3, SlidingAttention{8, 64, 64, Tokens(16)}}}, {0, 0, 1, 1, 1});
        QCOMPARE(tightestStage(model, bf16, {}, 2, Tokens(1000)), (std::vector<std::int64_t>{2, 1}));
        const Architecture reversed
            = of({{2, FullAttention{8, 64, 64}}, {3, SlidingAttention{8, 64, 64, Tokens(16)}}}, {1, 1, 1, 0, 0});
        QCOMPARE(tightestStage(reversed, bf16, {}, 2, Tokens(1000)), (std::vector<std::int64_t>{2, 0}));
        QCOMPARE(tightestStage(llama70b, bf16, {}, 3, Tokens(8)), (std::vector<std::int64_t>{27}));
    }

    void decodeContextRanksSplitTokens()
    {
        QCOMPARE(sequenceCost(deepseekV3, bf16, {8, 8}, 1, Tokens(131072)).total.count(), qint64{70272} * 16384);
        QCOMPARE(sequenceCost(deepseekV3, bf16, {8, 8}, 1, Tokens(131073)).total.count(), qint64{70272} * 16385);
    }

    void formatsThatCannotHoldARowAreRefused()
    {
        const Architecture narrow = of({{2, FullAttention{8, 80, 80}}});
        QVERIFY(!checkFormats(narrow, {CacheFormat::Q8_0, CacheFormat::Bf16}));
        QVERIFY(checkFormats(narrow, bf16));
        QVERIFY(!checkFormats(llama8b, {CacheFormat::Fp8DsMla, CacheFormat::Fp8DsMla}));
        QVERIFY(!checkFormats(of({{2, FullAttention{8, 128, 80}}}), {CacheFormat::Bf16, CacheFormat::Q4_0}));
    }

    void linearInLayersAndMonotoneInContext()
    {
        for (const Architecture* model : {&llama8b, &gptOss20b, &gemma4_31b, &qwen35_27b, &deepseekV32}) {
            Architecture doubled = *model;
            for (AttentionGroup& group : doubled.groups) {
                group.layers *= 2;
            }
            qint64 before = 0;
            for (qint64 context = 1; context < 5000; context += 97) {
                const qint64 bytes = sequenceCost(*model, bf16, {}, 1, Tokens(context)).total.count();
                QCOMPARE(sequenceCost(doubled, bf16, {}, 1, Tokens(context)).total.count(), 2 * bytes);
                QVERIFY(bytes >= before);
                before = bytes;
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestGroupBytes)
#include "tst_group_bytes.moc"
