// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architecture_json.h"
#include "core/model/config/module_patterns.h"
#include "core/model/parameters.h"
#include "core/model/read_architecture.h"
#include "core/model/weights.h"

#include <QDir>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace kvplan;
using nlohmann::json;

namespace {

Architecture uniform(std::int64_t queryHeads, AttentionKind kind)
{
    Architecture architecture;
    architecture.name = "uniform";
    architecture.layers = 4;
    architecture.queryHeads = queryHeads;
    architecture.groups = {{4, kind}};
    return architecture;
}

} // namespace

class TestArchitecture : public QObject {
    Q_OBJECT

private slots:
    void namesAttention_data();
    void namesAttention();
    void survivesTheRoundTrip_data();
    void survivesTheRoundTrip();
    void refusesBadJson_data();
    void refusesBadJson();
    void countsLatentParameters();
    void countsIndexerParameters();
    void weighsAFormat_data();
    void weighsAFormat();
    void keepsEmbeddingsInSixteenBits();
    void takesTheCheckpointsOwnBytes();
    void matchesModules_data();
    void matchesModules();
};

void TestArchitecture::namesAttention_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("kvHeads");
    QTest::newRow("every head its own") << "MHA" << 32 << 32;
    QTest::newRow("four share one") << "GQA 4:1" << 32 << 8;
    QTest::newRow("all share one") << "MQA" << 32 << 1;
}

void TestArchitecture::namesAttention()
{
    QFETCH(QString, name);
    QFETCH(int, heads);
    QFETCH(int, kvHeads);
    const Architecture architecture = uniform(heads, FullAttention{kvHeads, 128, 96, 0});
    QCOMPARE(QString::fromStdString(attentionName(architecture)), name);
    QCOMPARE(kvplan::kvHeads(architecture), kvHeads);
    QCOMPARE(keyDim(architecture), 128);
    QCOMPARE(valueDim(architecture), 96);
}

void TestArchitecture::survivesTheRoundTrip_data()
{
    QTest::addColumn<std::string>("path");
    const QDir folder(QString("%1/configs").arg(KVPLAN_FIXTURES));
    for (const QString& name : folder.entryList({"*.json"}, QDir::Files)) {
        QTest::addRow("%s", qPrintable(name)) << folder.filePath(name).toStdString();
    }
}

void TestArchitecture::survivesTheRoundTrip()
{
    QFETCH(std::string, path);
    const auto read = readArchitecture(path);
    QVERIFY(read);
    const json object = toJson(*read);
    for (const json& again : {object, json::parse(object.dump())}) {
        const auto back = architectureFromJson(again, "model");
        QVERIFY2(back, back ? "" : back.error().sentence().c_str());
        QVERIFY(*back == *read);
    }
}

void TestArchitecture::refusesBadJson_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("where");
    const auto row = [](const char* name, const char* pointer, const char* value, const char* where) {
        QTest::newRow(name) << pointer << value << where;
    };
    row("no groups", "/groups", "null", "model.groups");
    row("groups that are no list", "/groups", "{}", "model.groups");
    row("a kind nobody knows", "/groups/0/kind", "\"psychic\"", "model.groups[0].kind");
    row("no heads", "/groups/0/kv_heads", "0", "model.groups[0].kv_heads");
    row("negative width", "/groups/0/k_head_dim", "-1", "model.groups[0].k_head_dim");
    row("half a layer", "/groups/0/layers", "1.5", "model.groups[0].layers");
    row("layers as text", "/layers", "\"4\"", "model.layers");
    row("too many layers", "/layers", "1e12", "model.layers");
    row("an order of other layers", "/order", "[[0, 3]]", "model.order");
    row("an order of no group", "/order", "[[1, 4]]", "model.order");
    row("an order that is no list", "/order", "[7]", "model.order");
    row("an order below nothing", "/order", "[[0, -4]]", "model.order");
    row("more embeddings than parameters", "/embedding_parameters", "7", "model.embedding_parameters");
    row("a cache format nobody knows", "/cache_format", "\"fp3\"", "model.cache_format");
    row("a warning that is no text", "/warnings", "[1]", "model.warnings");
}

void TestArchitecture::refusesBadJson()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, where);
    Architecture architecture = uniform(32, FullAttention{8, 128, 128, 0});
    architecture.order = {0, 0, 0, 0};
    json object = toJson(architecture);
    QVERIFY(architectureFromJson(object, "model"));
    object[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
    const auto back = architectureFromJson(object, "model");
    QVERIFY(!back);
    QCOMPARE(QString::fromStdString(back.error().where), where);
}

void TestArchitecture::countsLatentParameters()
{
    // DeepSeek-V3's attention layer: 187,107,328 without its norms.
    const LatentShape shape{.hidden = 7168,
        .queryHeads = 128,
        .queryRank = 1536,
        .rank = 512,
        .nopeDim = 128,
        .ropeDim = 64,
        .valueDim = 128};
    QCOMPARE(qint64(latentParameters(shape)),
        qint64(7168) * 1536 + qint64(1536) * 128 * 192 + 7168 * 576 + qint64(512) * 128 * 256
            + qint64(128) * 128 * 7168);
}

void TestArchitecture::countsIndexerParameters()
{
    LatentShape shape{.hidden = 7168,
        .queryHeads = 128,
        .queryRank = 1536,
        .rank = 512,
        .nopeDim = 128,
        .ropeDim = 64,
        .valueDim = 128};
    const std::int64_t without = latentParameters(shape);
    shape.indexerHeads = 64;
    shape.indexerDim = 128;
    QCOMPARE(qint64(latentParameters(shape) - without), qint64(1536) * 64 * 128 + 7168 * (128 + 64));
}

void TestArchitecture::weighsAFormat_data()
{
    QTest::addColumn<double>("bytesEach");
    QTest::newRow("fp32") << 4.0;
    QTest::newRow("bf16") << 2.0;
    QTest::newRow("fp16") << 2.0;
    QTest::newRow("fp8") << 1.0;
    QTest::newRow("int8") << 1.0;
    QTest::newRow("nvfp4") << 9.0 / 16;
    QTest::newRow("mxfp4") << 17.0 / 32;
    QTest::newRow("int4") << 67.0 / 128;
}

void TestArchitecture::weighsAFormat()
{
    QFETCH(double, bytesEach);
    Architecture architecture;
    architecture.parameters = 128'000'000;
    const auto bytes = weightBytes(architecture, QTest::currentDataTag());
    QVERIFY(bytes);
    QCOMPARE(double(bytes->count()), 128e6 * bytesEach);
    QVERIFY(std::ranges::count(weightFormats(), std::string_view(QTest::currentDataTag())) == 1);
    QVERIFY(!weightBytes(architecture, "int3"));
    QVERIFY(!weightBytes(Architecture{}, "bf16"));
}

void TestArchitecture::keepsEmbeddingsInSixteenBits()
{
    Architecture architecture;
    architecture.parameters = 1000;
    architecture.embeddingParameters = 200;
    QCOMPARE(qint64(weightBytes(architecture, "fp8")->count()), qint64(200 * 2 + 800));
    QCOMPARE(qint64(weightBytes(architecture, "bf16")->count()), qint64(2000));
    QCOMPARE(qint64(weightBytes(architecture, "fp32")->count()), qint64(4000));
}

void TestArchitecture::takesTheCheckpointsOwnBytes()
{
    Architecture architecture;
    architecture.parameters = 1000;
    architecture.weightFormat = "fp8";
    architecture.weightsBytes = Bytes(1234);
    QCOMPARE(qint64(weightBytes(architecture, "fp8")->count()), qint64(1234));
    QCOMPARE(qint64(weightBytes(architecture, "")->count()), qint64(2000));
}

void TestArchitecture::matchesModules_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<int>("part");
    QTest::addColumn<bool>("matches");
    const auto row = [](const char* pattern, WeightPart part, bool matches) {
        QTest::addRow("%s %d", pattern, int(part)) << pattern << int(part) << matches;
    };
    row("lm_head", WeightPart::Head, true);
    row("lm_head", WeightPart::Attention, false);
    row("model.layers.*.self_attn", WeightPart::Attention, true);
    row("model.layers.7.self_attn*", WeightPart::Attention, true);
    row("model.layers.8.self_attn*", WeightPart::Attention, false);
    row("re:.*self_attn.*", WeightPart::Attention, true);
    row("re:.*shared_experts.*", WeightPart::Shared, true);
    row("re:.*shared_experts.*", WeightPart::Routed, false);
    row("re:.*mlp\\.(gate|up|gate_up|down)_proj.*", WeightPart::Dense, true);
    row("re:.*mlp\\.(gate|up|gate_up|down)_proj.*", WeightPart::Routed, false);
    row("gate", WeightPart::Dense, false);
    row("*.attn.*", WeightPart::Attention, true);
    row("", WeightPart::Head, false);
    row("re:((((", WeightPart::Head, false);
}

void TestArchitecture::matchesModules()
{
    QFETCH(QString, pattern);
    QFETCH(int, part);
    QFETCH(bool, matches);
    QCOMPARE(namesPart(pattern.toStdString(), static_cast<WeightPart>(part), 7), matches);
}

QTEST_GUILESS_MAIN(TestArchitecture)
#include "tst_architecture.moc"
