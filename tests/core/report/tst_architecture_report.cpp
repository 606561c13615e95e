// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/architecture_report.h"
#include "core/report/catalogue_report.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <limits>

using namespace kvplan;

namespace {

Architecture with(std::vector<AttentionGroup> groups)
{
    Architecture model;
    model.name = "some model";
    model.layers = 4;
    model.queryHeads = 32;
    model.groups = std::move(groups);
    return model;
}

QJsonObject parsed(const std::string& text)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

QJsonObject reported(const Architecture& model)
{
    const auto text = architectureJson(model);
    return text ? parsed(*text) : QJsonObject();
}

} // namespace

Q_DECLARE_METATYPE(kvplan::AttentionKind)

class TestArchitectureReport : public QObject {
    Q_OBJECT

private slots:
    void aGroupCountsAllItsLayers_data()
    {
        QTest::addColumn<kvplan::AttentionKind>("kind");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("key");
        QTest::addColumn<double>("bytes"); // of four layers
        QTest::newRow("full: 8 heads of 128 + 128") << AttentionKind(FullAttention{8, 128, 128}) << "full"
                                                    << "bytes_per_token" << 16384.0;
        QTest::newRow("sliding, values narrower")
            << AttentionKind(SlidingAttention{8, 192, 128, Tokens(512)}) << "sliding"
            << "bytes_per_token" << 20480.0;
        QTest::newRow("chunked") << AttentionKind(ChunkedAttention{8, 128, 128, Tokens(8192)}) << "chunked"
                                 << "bytes_per_token" << 16384.0;
        QTest::newRow("latent: one tensor of 512 + 64") << AttentionKind(LatentAttention{512, 64, 0}) << "latent"
                                                        << "bytes_per_token" << 4608.0;
        QTest::newRow("latent with an indexer of 128 + 4") << AttentionKind(LatentAttention{512, 64, 128}) << "latent"
                                                           << "bytes_per_token" << 5136.0;
        QTest::newRow("compressed: a window and an entry for four")
            << AttentionKind(CompressedAttention{512, 4, Tokens(128), 0}) << "compressed"
            << "bytes_per_token" << 5120.0;
        QTest::newRow("recurrent: fixed") << AttentionKind(RecurrentState{1000, 100, 4, 2}) << "recurrent"
                                          << "state_bytes" << 16800.0;
        QTest::newRow("shared: nothing") << AttentionKind(SharedCache{}) << "shared"
                                         << "bytes_per_token" << 0.0;
    }
    void aGroupCountsAllItsLayers()
    {
        QFETCH(kvplan::AttentionKind, kind);
        QFETCH(QString, name);
        QFETCH(QString, key);
        QFETCH(double, bytes);
        const QJsonObject group = reported(with({{4, kind}})).value("attention").toArray().at(0).toObject();
        QCOMPARE(group.value("kind").toString(), name);
        QCOMPARE(group.value("count").toInteger(), 4);
        QCOMPARE(group.value(key).toDouble(), bytes);
        QCOMPARE(group.contains("state_bytes"), key == "state_bytes");
    }

    void shapesAreNamed()
    {
        const QJsonArray groups
            = reported(with({{3, SlidingAttention{8, 192, 128, Tokens(512)}}, {1, LatentAttention{512, 64, 0}}}))
                  .value("attention")
                  .toArray();
        const QJsonObject sliding = groups.at(0).toObject();
        QCOMPARE(sliding.value("kv_heads").toInteger(), 8);
        QCOMPARE(sliding.value("k_head_dim").toInteger(), 192);
        QCOMPARE(sliding.value("v_head_dim").toInteger(), 128);
        QCOMPARE(sliding.value("window_tokens").toInteger(), 512);
        const QJsonObject latent = groups.at(1).toObject();
        QCOMPARE(latent.value("kv_heads").toInteger(), 1);
        QCOMPARE(latent.value("k_head_dim").toInteger(), 576);
        QCOMPARE(latent.value("v_head_dim").toInteger(), 0);
        QVERIFY(latent.value("window_tokens").isNull());
    }

    void whatIsNotKnownIsNull()
    {
        const QJsonObject root = reported(with({{4, FullAttention{8, 128, 128}}}));
        for (const char* key : {"parameters", "active_parameters", "weights_bytes", "max_position"}) {
            QVERIFY2(root.contains(key) && root.value(key).isNull(), key);
        }
        QCOMPARE(root.value("default_kv_format").toString(), "bf16");
    }

    void whatIsKnownIsThere()
    {
        Architecture model = with({{4, FullAttention{8, 128, 128}}});
        model.parameters = 8030261248;
        model.activeParameters = 8030261247;
        model.weightsBytes = Bytes(16060522496);
        model.maxPosition = Tokens(131072);
        model.cacheFormat = CacheFormat::Fp8;
        model.warnings = {"no such key"};
        const QJsonObject root = reported(model);
        QCOMPARE(root.value("name").toString(), "some model");
        QCOMPARE(root.value("layers").toInteger(), 4);
        QCOMPARE(root.value("query_heads").toInteger(), 32);
        QCOMPARE(root.value("parameters").toInteger(), 8030261248);
        QCOMPARE(root.value("active_parameters").toInteger(), 8030261247);
        QCOMPARE(root.value("weights_bytes").toInteger(), 16060522496);
        QCOMPARE(root.value("max_position").toInteger(), 131072);
        QCOMPARE(root.value("default_kv_format").toString(), "fp8");
        QCOMPARE(root.value("warnings").toArray().at(0).toString(), "no such key");
        QCOMPARE(root.value("attention").toArray().at(0).toObject().value("bytes_per_token").toInteger(), 8192);
    }

    void aModelBeyondCountingIsRefused()
    {
        const std::int64_t huge = std::numeric_limits<std::int64_t>::max() / 2;
        const auto text = architectureJson(with({{huge, FullAttention{8, 128, 128}}}));
        QVERIFY(!text.has_value());
        QCOMPARE(text.error().code, ErrorCode::Overflow);
        QVERIFY(!architectureText(with({{huge, FullAttention{8, 128, 128}}})).has_value());
    }

    void textNamesEveryGroup()
    {
        const auto text = architectureText(
            with({{3, SlidingAttention{8, 192, 128, Tokens(512)}}, {1, RecurrentState{1000, 100, 4, 2}}}));
        QVERIFY(text.has_value());
        for (const char* part : {"3 ×", "sliding", "8 KV heads of 192 (values 128)", "512 tokens", "15,360 B a token",
                 "recurrent", "4,200 B a sequence", "not known"}) {
            QVERIFY2(text->find(part) != std::string::npos, part);
        }
    }

    void formatsListEveryFormat()
    {
        const QJsonArray list = parsed(formatsJson()).value("formats").toArray();
        QCOMPARE(static_cast<std::size_t>(list.size()), cacheFormats().size());
        for (qsizetype i = 0; i < list.size(); ++i) {
            const QJsonObject one = list.at(i).toObject();
            const CacheFormatInfo& format = cacheFormats()[static_cast<std::size_t>(i)];
            QCOMPARE(one.value("name").toString().toStdString(), std::string(format.name));
            QCOMPARE(one.value("bytes_per_element").toDouble(), format.bytesPerElement());
            QVERIFY(formatsText().find(format.name) != std::string::npos);
        }
    }

    void anUnpublishedRateIsNull()
    {
        Accelerator card;
        card.name = "some card";
        card.capacity = Bytes(85899345920);
        card.bandwidthBytesPerSecond = 3.35e12;
        const std::vector<Accelerator> cards{card};
        const QJsonObject one = parsed(acceleratorsJson(cards)).value("accelerators").toArray().at(0).toObject();
        QCOMPARE(one.value("name").toString(), "some card");
        QCOMPARE(one.value("capacity_bytes").toInteger(), 85899345920);
        QCOMPARE(one.value("bandwidth_bytes_per_s").toDouble(), 3.35e12);
        QVERIFY(one.value("fp8_flops_per_s").isNull());
        QVERIFY(one.value("driver_bytes").isNull());
        QVERIFY(acceleratorsText(cards).find("80.0 GiB") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestArchitectureReport)
#include "tst_architecture_report.moc"
