// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/group_bytes.h"
#include "core/model/read_architecture.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QTest>

#include <fstream>
#include <sstream>

using namespace kvplan;

namespace {

using Row = QHash<QString, QString>;

/// One line of a CSV with quoted fields.
QStringList cells(const QString& line)
{
    QStringList result{""};
    bool quoted = false;
    for (const QChar c : line) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            result.append("");
        } else {
            result.last().append(c);
        }
    }
    return result;
}

QList<Row> rowsOf(const QString& path)
{
    QFile file(path);
    QList<Row> rows;
    if (!file.open(QIODevice::ReadOnly)) {
        return rows;
    }
    const QStringList header = cells(QString::fromUtf8(file.readLine()).trimmed());
    while (!file.atEnd()) {
        const QStringList values = cells(QString::fromUtf8(file.readLine()).remove('\n').remove('\r'));
        Row row;
        for (int i = 0; i < std::min(header.size(), values.size()); ++i) {
            row[header[i]] = values[i];
        }
        rows.append(row);
    }
    return rows;
}

template <class... Kinds> std::int64_t layersOf(const Architecture& architecture)
{
    std::int64_t layers = 0;
    for (const AttentionGroup& group : architecture.groups) {
        layers += (std::holds_alternative<Kinds>(group.kind) || ...) ? group.layers : 0;
    }
    return layers;
}

/// Bytes a token in 16 bits of the groups of these kinds, without indexers.
template <class... Kinds> std::int64_t tokenBytes(const Architecture& architecture)
{
    std::int64_t bytes = 0;
    for (AttentionGroup group : architecture.groups) {
        if ((std::holds_alternative<Kinds>(group.kind) || ...)) {
            std::visit(
                [](auto& kind) {
                    if constexpr (requires { kind.indexerDim; }) {
                        kind.indexerDim = 0;
                    }
                },
                group.kind);
            bytes += layerCost(group.kind, {}, {}).perToken.count() * group.layers;
        }
    }
    return bytes;
}

std::int64_t stateBytes(const Architecture& architecture)
{
    std::int64_t bytes = 0;
    for (const AttentionGroup& group : architecture.groups) {
        if (std::holds_alternative<RecurrentState>(group.kind)) {
            bytes += layerCost(group.kind, {}, {}).fixed.count() * group.layers;
        }
    }
    return bytes;
}

template <class Kind, class Figure> std::int64_t figureOf(const Architecture& architecture, Figure figure)
{
    for (const AttentionGroup& group : architecture.groups) {
        if (const auto* kind = std::get_if<Kind>(&group.kind)) {
            if (const std::int64_t value = figure(*kind); value > 0) {
                return value;
            }
        }
    }
    return 0;
}

} // namespace

/// Every public configuration in the folder named by KVPLAN_DATA against the table beside them.
class TestPublicConfigs : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void agreesWithTheTable_data();
    void agreesWithTheTable();

private:
    QDir m_data;
    QHash<QString, Row> m_rows; ///< by config_file
};

void TestPublicConfigs::initTestCase()
{
    const QString folder = qEnvironmentVariable("KVPLAN_DATA");
    if (folder.isEmpty()) {
        QSKIP("KVPLAN_DATA names no folder of public configurations");
    }
    m_data = QDir(folder);
    for (const Row& row : rowsOf(m_data.filePath("models.csv"))) {
        m_rows[row["config_file"]] = row;
    }
    QVERIFY2(m_rows.size() > 100, "models.csv is missing or short");
}

void TestPublicConfigs::agreesWithTheTable_data()
{
    QTest::addColumn<QString>("path");
    for (const QString& model : m_data.exists()
            ? QDir(m_data.filePath("configs")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)
            : QStringList()) {
        QTest::addRow("%s", qPrintable(model)) << "configs/" + model + "/config.json";
    }
}

void TestPublicConfigs::agreesWithTheTable()
{
    QFETCH(QString, path);
    const Row row = m_rows[path];
    QVERIFY2(!row.isEmpty(), "the table has no such file");
    const auto read = readArchitecture(m_data.filePath(path).toStdString());
    QVERIFY2(read, read ? "" : read.error().sentence().c_str());
    const Architecture& model = *read;

    const auto compare = [&](const char* column, std::int64_t value) {
        const QString expected = row[column];
        if (!expected.isEmpty()) {
            QCOMPARE(QString("%1 %2").arg(column).arg(value), QString("%1 %2").arg(column, expected));
        }
    };
    const auto both = [&](auto figure) {
        return std::max(figureOf<SlidingAttention>(model, figure), figureOf<ChunkedAttention>(model, figure));
    };
    compare("layers", model.layers);
    compare("hidden", model.hidden);
    compare("q_heads", model.queryHeads);
    compare("vocab", model.vocabulary);
    compare("max_position", model.maxPosition.value_or(Tokens(0)).count());
    compare("kv_bytes_per_token_full_layers_bf16", tokenBytes<FullAttention, LatentAttention>(model));
    compare("kv_bytes_per_token_sliding_layers_bf16", tokenBytes<SlidingAttention, ChunkedAttention>(model));
    compare("linear_state_bytes_per_seq_fp32state_bf16conv", stateBytes(model));
    compare("linear_layers", layersOf<RecurrentState>(model));
    compare(
        "linear_state_elems_per_layer", figureOf<RecurrentState>(model, [](const auto& k) { return k.stateElements; }));
    compare(
        "conv_state_elems_per_layer", figureOf<RecurrentState>(model, [](const auto& k) { return k.convElements; }));
    compare("cross_attn_layers", layersOf<CrossAttention>(model));
    compare("kv_shared_layers", layersOf<SharedCache>(model));
    compare("mla_kv_lora_rank", figureOf<LatentAttention>(model, [](const auto& k) { return k.rank; }));
    compare("mla_qk_rope_head_dim", figureOf<LatentAttention>(model, [](const auto& k) { return k.ropeDim; }));
    if (row["kv_shared_layers"].isEmpty() && layersOf<CompressedAttention>(model) == 0) {
        compare("full_attn_layers", layersOf<FullAttention, LatentAttention>(model));
        compare("sliding_layers", layersOf<SlidingAttention, ChunkedAttention>(model));
    }
    if (row["sliding_layers"].toInt() > 0) {
        compare("sliding_window", both([](const auto& k) -> std::int64_t {
            if constexpr (requires { k.window; }) {
                return k.window.count();
            } else {
                return k.chunk.count();
            }
        }));
    }
    compare("indexer_key_dim",
        std::max(figureOf<LatentAttention>(model, [](const auto& k) { return k.indexerDim; }),
            std::max(figureOf<FullAttention>(model, [](const auto& k) { return k.indexerDim; }),
                figureOf<CompressedAttention>(model, [](const auto& k) { return k.indexerDim; }))));

    if (row["params_basis"].startsWith("computed")) {
        QVERIFY(model.parameters && model.activeParameters);
        const auto near = [&](const char* column, std::int64_t counted) {
            const double expected = row[column].toDouble() * 1e9;
            const double error = static_cast<double>(counted) / expected - 1;
            QVERIFY2(std::abs(error) < 0.005,
                qPrintable(QString("%1: counted %2, expected %3").arg(column).arg(counted).arg(expected)));
        };
        near("total_params_b", *model.parameters);
        near("active_params_b", *model.activeParameters);
    }
}

QTEST_GUILESS_MAIN(TestPublicConfigs)
#include "tst_public_configs.moc"
