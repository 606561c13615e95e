// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/format.h"
#include "tests/cli/command.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace kvplan::testing;

namespace {

constexpr const char* llama = R"({
  "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
  "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
  "max_position_embeddings": 131072, "tie_word_embeddings": false, "torch_dtype": "bfloat16"
})";

} // namespace

class TestImportAndLists : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile file(m_folder.filePath("config.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(llama);
    }

    void anImportHasTheKeysOfTheContract_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("the file") << m_folder.filePath("config.json");
        QTest::newRow("its folder") << m_folder.path();
    }
    void anImportHasTheKeysOfTheContract()
    {
        QFETCH(QString, path);
        const QJsonObject root = json({"import", path});
        for (const char* key : {"name", "layers", "query_heads", "attention", "parameters", "active_parameters",
                 "weights_bytes", "default_kv_format", "max_position", "warnings"}) {
            QVERIFY2(root.contains(key), key);
        }
        QCOMPARE(root.value("layers").toInteger(), 32);
        QCOMPARE(root.value("query_heads").toInteger(), 32);
        QCOMPARE(root.value("parameters").toInteger(), 8030261248);
        QCOMPARE(root.value("weights_bytes").toInteger(), 2 * Q_INT64_C(8030261248));
        QCOMPARE(root.value("default_kv_format").toString(), "bf16");
        QCOMPARE(root.value("max_position").toInteger(), 131072);
        const QJsonArray groups = root.value("attention").toArray();
        QCOMPARE(groups.size(), 1);
        const QJsonObject group = groups.at(0).toObject();
        QCOMPARE(group.value("kind").toString(), "full");
        QCOMPARE(group.value("count").toInteger(), 32);
        QCOMPARE(group.value("kv_heads").toInteger(), 8);
        QCOMPARE(group.value("k_head_dim").toInteger(), 128);
        QCOMPARE(group.value("v_head_dim").toInteger(), 128);
        QVERIFY(group.contains("window_tokens") && group.value("window_tokens").isNull());
        QCOMPARE(group.value("bytes_per_token").toInteger(), 131072);
    }

    void aPlanReadsTheSameFile()
    {
        const QJsonObject plan = json({"plan", "--config", m_folder.path()});
        QCOMPARE(at(plan, "kv.bytes_per_token").toInteger(), 131072);
        QCOMPARE(at(plan, "budget.lines.1.name").toString(), "weights");
        QCOMPARE(at(plan, "budget.lines.1.bytes").toInteger(), 2 * Q_INT64_C(8030261248));
        QCOMPARE(at(plan, "scenario.headroom-percent").toDouble(), 0.0);
    }

    void textNamesTheModelsFigures()
    {
        const Ended ended = run({"import", m_folder.path()});
        QCOMPARE(ended.exitCode, 0);
        for (const char* part : {"32 ×", "8 KV heads of 128", "131,072 B a token", "131,072 tokens", "8.03 × 10⁹"}) {
            QVERIFY2(ended.out.contains(part), ended.out.constData());
        }
    }

    void listsHoldEnough_data()
    {
        QTest::addColumn<int>("least");
        QTest::addColumn<QString>("keys");
        QTest::newRow("models") << 40 << "name layers query_heads attention parameters active_parameters max_position";
        QTest::newRow("accelerators") << 30 << "name capacity_bytes capacity_basis bandwidth_bytes_per_s source";
        QTest::newRow("formats") << 17 << "name bytes_per_element";
    }
    void listsHoldEnough()
    {
        QFETCH(int, least);
        QFETCH(QString, keys);
        const QString verb = QTest::currentDataTag();
        const QJsonObject root = json({verb});
        QCOMPARE(root.keys(), QStringList{verb});
        const QJsonArray list = root.value(verb).toArray();
        QVERIFY2(list.size() >= least, qPrintable(QString::number(list.size())));
        const Ended text = run({verb});
        QCOMPARE(text.exitCode, 0);
        for (const QJsonValue& one : list) {
            for (const QString& key : keys.split(' ')) {
                QVERIFY2(one.toObject().contains(key), qPrintable(key));
            }
            QVERIFY(text.out.contains(one.toObject().value("name").toString().toUtf8()));
        }
    }

    void everyModelAndCardCanBePlannedByItsName()
    {
        const QJsonArray models = json({"models"}).value("models").toArray();
        const QJsonArray cards = json({"accelerators"}).value("accelerators").toArray();
        for (qsizetype i = 0; i < std::max(models.size(), cards.size()); ++i) {
            const QString model = models.at(i % models.size()).toObject().value("name").toString();
            const QString card = cards.at(i % cards.size()).toObject().value("name").toString();
            const QJsonObject plan = json({"plan", "--model", model, "--accelerator", card, "--context", "1024"});
            QVERIFY2(at(plan, "kv.bytes_per_sequence").toDouble() > 0, qPrintable(model));
            QCOMPARE(at(plan, "budget.capacity_bytes"), cards.at(i % cards.size()).toObject().value("capacity_bytes"));
        }
    }

    void everyFormatCanBePlannedByItsName()
    {
        for (const kvplan::CacheFormatInfo& format : kvplan::cacheFormats()) {
            const bool latent = format.format == kvplan::CacheFormat::Fp8DsMla;
            const QStringList shape = latent ? QStringList{"--mla-rank", "512"} : QStringList{};
            const QJsonObject plan
                = json(QStringList{"plan", "--kv-format", QString::fromStdString(std::string(format.name))} + shape);
            QVERIFY(at(plan, "kv.bytes_per_token").toDouble() > 0);
        }
    }

    void everyConfigOfTheDataFolderIsReadOrRefusedInOneSentence()
    {
        const QDir folder(qEnvironmentVariable("KVPLAN_DATA") + "/configs");
        if (!qEnvironmentVariableIsSet("KVPLAN_DATA") || !folder.exists()) {
            QSKIP("KVPLAN_DATA names no folder with configs");
        }
        for (const QString& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const QJsonObject root = json({"import", folder.filePath(name)});
            QVERIFY2(!root.value("attention").toArray().isEmpty(), qPrintable(name));
        }
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestImportAndLists)
#include "tst_import_and_lists.moc"
