// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/log/check_log.h"
#include "engine_models.h"

#include <QTest>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

using namespace kvplan;
using namespace kvplan::testing;

Q_DECLARE_METATYPE(kvplan::CacheFormat)

namespace {

std::string pathOf(const QString& name)
{
    return std::string(KVPLAN_ENGINE_LOGS "/") + name.toStdString();
}

EngineLog read(const QString& name)
{
    auto log = readEngineLog(std::filesystem::path(pathOf(name)));
    if (!log) {
        qFatal("%s", log.error().sentence().c_str());
    }
    return *log;
}

const LogResidual* residual(const LogCheck& check, std::string_view name)
{
    const auto found = std::ranges::find(check.residuals, name, &LogResidual::name);
    return found == check.residuals.end() ? nullptr : &*found;
}

LogSubject subject(Architecture model, CacheFormat format, std::int64_t tensor = 1)
{
    EngineSetup launch = setup(Bytes(0), 0);
    launch.formats = both(format);
    launch.sharding.tensor = tensor;
    launch.maxSequences = 1;
    return {std::move(model), launch};
}

} // namespace

class TestBootLogs : public QObject {
    Q_OBJECT

private slots:
    void figures_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("key");
        QTest::addColumn<double>("value");
        const double gibibyte = 0x1p30;
        const double mebibyte = 0x1p20;
        const auto row = [](const char* file, const char* key, double value) {
            QTest::addRow("%s %s", file, key) << file << key << value;
        };
        row("vllm_two_ranks.log", "weights_bytes", 14.76 * gibibyte); // the rank that needs most
        row("vllm_two_ranks.log", "kv_pool_bytes", 25.91 * gibibyte); // the rank that has least
        row("vllm_two_ranks.log", "kv_tokens", 566016);
        row("vllm_two_ranks.log", "max_concurrency", 17.27);
        row("vllm_two_ranks.log", "max_model_len", 32768);
        row("vllm_two_ranks.log", "graphs_bytes", 0.58 * gibibyte);
        row("vllm_missing_rank.log", "activation_bytes", 0.19 * gibibyte);
        row("vllm_missing_rank.log", "non_torch_bytes", 0.25 * gibibyte);
        row("vllm_missing_rank.log", "total_bytes", 23.55 * gibibyte);
        row("vllm_missing_rank.log", "pool_blocks", 5096);
        row("vllm_v0.log", "pool_blocks", 1952);
        row("vllm_v0.log", "cpu_blocks", 2048);
        row("vllm_v0.log", "kv_pool_bytes", 3.81 * gibibyte);
        row("vllm_sixteen_bit.log", "pool_blocks", 1952);
        row("sglang_windows.log", "kv_tokens", 805556); // the larger of two pools
        row("sglang_windows.log", "k_bytes", 10.76 * gibibyte);
        row("sglang_windows.log", "window_tokens", 644444);
        row("sglang_windows.log", "window_v_bytes", 21.51 * gibibyte);
        row("sglang_windows.log", "weights_bytes", 14.98 * gibibyte);
        row("sglang_windows.log", "graphs_bytes", 1.25 * gibibyte);
        row("sglang_windows.log", "max_model_len", 32768);
        row("sglang_eight_ranks.log", "kv_bytes", 160.63 * gibibyte);
        row("tensorrt_profiles_first.log", "kv_pool_bytes", 2.18 * gibibyte); // the last line counts
        row("tensorrt_profiles_first.log", "kv_tokens", 190656);
        row("tensorrt_profiles_first.log", "pool_blocks", 5958);
        row("tensorrt_profiles_first.log", "block_tokens", 32);
        row("tensorrt_profiles_first.log", "weights_bytes", 988 * mebibyte);
        row("llama_windows.log", "cells", 131072);
        row("llama_windows.log", "window_cells", 768);
        row("llama_windows.log", "k_bytes", 1536 * mebibyte);
        row("llama_windows.log", "window_v_bytes", 9 * mebibyte);
        row("llama_windows.log", "max_model_len", 131072);
        row("llama_windows.log", "weights_bytes", 11.27 * gibibyte);
        row("llama_windows.log", "activation_bytes", 398.38 * mebibyte);
        row("llama_states.log", "state_bytes", 598.5 * mebibyte);
        row("llama_states.log", "s_bytes", 576 * mebibyte);
    }

    void figures()
    {
        QFETCH(QString, file);
        QFETCH(QString, key);
        QFETCH(double, value);
        const auto check = checkLog(read(file));
        QVERIFY(check);
        const auto found = check->observed.find(key.toStdString());
        QVERIFY(found != check->observed.end());
        QVERIFY2(std::abs(found->second.value - value) <= 1e-9 * value,
            qPrintable(QString::number(found->second.value, 'f')));
        QVERIFY(found->second.holds(found->second.value));
    }

    void enginesAndVersions_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("engine");
        QTest::addColumn<QString>("version");
        QTest::newRow("vLLM V1") << "vllm_two_ranks.log"
                                 << "vllm"
                                 << "0.10.2";
        QTest::newRow("vLLM V0") << "vllm_v0.log"
                                 << "vllm"
                                 << "0.6.4";
        QTest::newRow("two bytes a letter") << "vllm_sixteen_bit.log"
                                            << "vllm"
                                            << "0.6.4";
        QTest::newRow("SGLang") << "sglang_windows.log"
                                << "sglang"
                                << "0.5.9";
        QTest::newRow("TensorRT-LLM") << "tensorrt_profiles_first.log"
                                      << "tensorrt-llm"
                                      << "1.0.0";
        QTest::newRow("llama.cpp") << "llama_windows.log"
                                   << "llama.cpp"
                                   << "b7300";
    }

    void enginesAndVersions()
    {
        QFETCH(QString, file);
        QFETCH(QString, engine);
        QFETCH(QString, version);
        const EngineLog log = read(file);
        QCOMPARE(QString::fromStdString(log.engine), engine);
        QCOMPARE(QString::fromStdString(log.version), version);
    }

    void ranksAreKeptApart()
    {
        QCOMPARE(read("vllm_two_ranks.log").all("kv_pool_bytes").size(), std::size_t{2});
        QCOMPARE(read("sglang_eight_ranks.log").all("kv_bytes").size(), std::size_t{8});
        QCOMPARE(read("vllm_two_ranks.log").settings.at("model"), std::string("acme/thirty-billion"));
        QCOMPARE(read("vllm_two_ranks.log").settings.at("tensor_parallel"), std::string("2"));
    }

    void predictionsAgree_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<Architecture>("model");
        QTest::addColumn<CacheFormat>("format");
        QTest::addColumn<qint64>("tensor");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("vLLM, two ranks") << "vllm_two_ranks.log" << dense(48, 4, 128, 32) << CacheFormat::Bf16
                                         << qint64{2} << QStringList{"kv_tokens", "max_concurrency"};
        QTest::newRow("vLLM V0") << "vllm_v0.log" << llama8b << CacheFormat::Bf16 << qint64{1}
                                 << QStringList{"pool_blocks", "cpu_blocks", "max_concurrency"};
        QTest::newRow("SGLang, windows") << "sglang_windows.log" << gemma4_E4B << CacheFormat::Bf16 << qint64{1}
                                         << QStringList{"k_bytes", "v_bytes", "window_k_bytes", "window_v_bytes"};
        QTest::newRow("SGLang, latent") << "sglang_eight_ranks.log" << deepseekV3 << CacheFormat::Bf16 << qint64{8}
                                        << QStringList{"kv_bytes"};
        QTest::newRow("TensorRT-LLM") << "tensorrt_profiles_first.log" << dense(24, 2, 64, 14) << CacheFormat::Fp16
                                      << qint64{1} << QStringList{"kv_pool_bytes", "kv_tokens"};
        QTest::newRow("llama.cpp, windows")
            << "llama_windows.log" << gptOss20b << CacheFormat::Fp16 << qint64{1}
            << QStringList{"cells", "k_bytes", "v_bytes", "window_cells", "window_k_bytes"};
        QTest::newRow("llama.cpp, states") << "llama_states.log" << qwen35_27b << CacheFormat::Fp16 << qint64{1}
                                           << QStringList{"cells", "k_bytes", "r_bytes", "s_bytes"};
    }

    void predictionsAgree()
    {
        QFETCH(QString, file);
        QFETCH(Architecture, model);
        QFETCH(CacheFormat, format);
        QFETCH(qint64, tensor);
        QFETCH(QStringList, names);
        const LogSubject ran = subject(model, format, tensor);
        const auto check = checkLog(read(file), &ran);
        QVERIFY2(check, check ? "" : check.error().sentence().c_str());
        for (const QString& name : names) {
            const LogResidual* found = residual(*check, name.toStdString());
            QVERIFY2(found, qPrintable(name));
            QVERIFY2(found->agrees,
                qPrintable(QString("%1: %2 against %3")
                               .arg(name)
                               .arg(found->predicted.value, 0, 'f')
                               .arg(found->observed.value, 0, 'f')));
        }
        QVERIFY2(
            check->inconsistencies.empty(), check->inconsistencies.empty() ? "" : check->inconsistencies[0].c_str());
        // The same log does not fit twice the layers.
        LogSubject other = ran;
        for (AttentionGroup& group : other.architecture.groups) {
            group.layers *= 2;
        }
        QVERIFY(!checkLog(read(file), &other)->inconsistencies.empty());
    }

    void arithmeticNeedsNoModel()
    {
        const auto check = checkLog(read("vllm_missing_rank.log"));
        QVERIFY(check);
        const LogResidual* pool = residual(*check, "kv_pool_bytes");
        QVERIFY(pool);
        QVERIFY2(pool->agrees, qPrintable(QString::number(pool->predicted.value / 0x1p30)));
        QVERIFY(check->calibration.contains("overhead_bytes"));
        QVERIFY(
            std::abs(check->calibration.at("overhead_bytes").value / 0x1p30 - (23.55 * 0.98 - 13.95 - 8.69)) < 1e-6);
    }

    void anotherRanksLine()
    {
        const LogSubject ran = subject(dense(48, 8, 128, 40), CacheFormat::Bf16, 2);
        const auto check = checkLog(read("vllm_missing_rank.log"), &ran);
        QVERIFY(check);
        bool named = false;
        for (const std::string& clause : check->inconsistencies) {
            named = named || clause.find("another rank") != std::string::npos;
        }
        QVERIFY(named);
        QVERIFY(std::abs(residual(*check, "kv_tokens")->relativeError - 0.164) < 0.001);
    }

    void moreThanTheCard()
    {
        const auto check = checkLog(read("vllm_more_than_the_card.log"));
        QVERIFY(check);
        QVERIFY(!check->inconsistencies.empty());
        QVERIFY(check->inconsistencies.back().find("more than the card") != std::string::npos);
    }

    void refused()
    {
        const auto none = readEngineLog(std::filesystem::path(pathOf("unrelated.log")));
        QVERIFY(!none);
        QCOMPARE(none.error().code, ErrorCode::Syntax);
        QCOMPARE(readEngineLog(std::filesystem::path(pathOf("no such.log"))).error().code, ErrorCode::Unreadable);
        QCOMPARE(readEngineLog(std::filesystem::path(KVPLAN_ENGINE_LOGS)).error().code, ErrorCode::Unreadable);
        QVERIFY(!checkLog(EngineLog{}));
    }

    void anyCutGivesTheSame()
    {
        std::ostringstream whole;
        whole << std::ifstream(pathOf("vllm_two_ranks.log"), std::ios::binary).rdbuf();
        const std::string text = whole.str();
        const EngineLog expected = read("vllm_two_ranks.log");
        for (std::size_t piece = 1; piece < 40; ++piece) {
            EngineLogReader reader;
            for (std::size_t at = 0; at < text.size(); at += piece) {
                reader.feed(std::string_view(text).substr(at, piece));
            }
            const EngineLog log = reader.finish();
            QVERIFY(log.figures == expected.figures);
            QCOMPARE(log.lines, expected.lines);
        }
    }

    void endlessLinesAndRanksStayBounded()
    {
        EngineLogReader reader;
        const std::string piece(1 << 16, 'x');
        for (int i = 0; i < 1000; ++i) {
            reader.feed(piece); // 64 MB in one line
        }
        reader.feed("\n");
        for (int i = 0; i < 20000; ++i) {
            reader.feed("(Worker_TP" + std::to_string(i) + " pid=1) Available KV cache memory: 1.00 GiB\n");
        }
        const EngineLog log = reader.finish();
        QCOMPARE(log.figures.size(), std::size_t{4096});
        QCOMPARE(log.warnings.size(), std::size_t{2});
    }

    void noiseNeverCrashes()
    {
        std::mt19937 random(7);
        const std::vector<std::string> scraps{"GPU KV cache size: ", "#tokens: ", "(Worker", "[", "]",
            "size = ", "\x1b[", "\x1b]", "llama_", "compute buffer size =", "99999999999999999999999999999999999999",
            "1e400", ".", ",", " GiB", "n_ctx ", "= ", "KV Cache is allocated", "self size", " K (", "): ", "\n",
            "tokens", "-", "0", std::string("\0", 1), "\xff"};
        for (int round = 0; round < 3000; ++round) {
            EngineLogReader reader;
            for (int i = 0; i < 30; ++i) {
                reader.feed(scraps[random() % scraps.size()]);
            }
            const EngineLog log = reader.finish();
            if (!log.engine.empty()) {
                const LogSubject ran = subject(llama8b, CacheFormat::Bf16);
                checkLog(log, &ran);
            }
        }
    }

    void numbers_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("two decimals") << "8.22 GiB" << 8.215 * 0x1p30 << 8.225 * 0x1p30;
        QTest::newRow("GB are GiB") << "13.79 GB" << 13.785 * 0x1p30 << 13.795 * 0x1p30;
        QTest::newRow("trimmed zeros widen") << "1.1 GiB" << 1.05 * 0x1p30 << 1.15 * 0x1p30;
        QTest::newRow("whole numbers are exact") << "53,136 tokens" << 53136.0 << 53136.0;
        QTest::newRow("a comma that groups nothing ends it") << "12, 5" << 12.0 << 12.0;
        QTest::newRow("bytes") << "25083870720" << 25083870720.0 << 25083870720.0;
        QTest::newRow("a sentence's full stop") << "32." << 32.0 << 32.0;
    }

    void numbers()
    {
        QFETCH(QString, text);
        QFETCH(double, low);
        QFETCH(double, high);
        const auto figure = parseLoggedBytes(text.toStdString());
        QVERIFY(figure);
        QVERIFY(std::abs(figure->low - low) <= 1e-12 * low);
        QVERIFY(std::abs(figure->high - high) <= 1e-12 * high);
        QVERIFY(!parseLoggedBytes("GiB"));
        QVERIFY(!parseLoggedBytes("1234567890123456789012345678901"));
    }
};

QTEST_APPLESS_MAIN(TestBootLogs)
#include "tst_boot_logs.moc"
