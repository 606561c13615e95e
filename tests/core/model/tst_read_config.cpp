// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/read_architecture.h"
#include "tests/core/model/shape_text.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

using namespace kvplan;

namespace {

std::string fixture(const QString& name)
{
    return QString("%1/configs/%2.json").arg(KVPLAN_FIXTURES, name).toStdString();
}

/// A small Llama with one member replaced or added.
std::string llamaWith(const std::string& member)
{
    return R"({"model_type": "llama", "hidden_size": 1024, "intermediate_size": 2816, "num_hidden_layers": 4,
        "num_attention_heads": 16, "num_key_value_heads": 4, "vocab_size": 32000, "max_position_embeddings": 4096, )"
        + member + "}";
}

void writeFile(const std::filesystem::path& path, std::string_view text)
{
    std::ofstream(path, std::ios::binary) << text;
}

} // namespace

class TestReadConfig : public QObject {
    Q_OBJECT

private slots:
    void readsEachKindOfTrap_data();
    void readsEachKindOfTrap();
    void everyFixtureHasARow();
    void saysTheOrderOfLayers();
    void countsParameters_data();
    void countsParameters();
    void readsTheCheckpointsFormat_data();
    void readsTheCheckpointsFormat();
    void warns_data();
    void warns();
    void refuses_data();
    void refuses();
    void namesTheModelAfterItsFolder();
    void readsTheQuantisationBesideTheFile();
    void refusesWhatIsNoConfig();
    void refusesAHugeFileBeforeReadingIt();
};

void TestReadConfig::readsEachKindOfTrap_data()
{
    QTest::addColumn<QString>("shape");
    const auto row = [](const char* name, const char* shape) { QTest::addRow("%s", name) << QString::fromUtf8(shape); };
    row("plain_gqa", "4×full 4·64/64");
    row("kv_heads_absent_means_mha", "4×full 16·64/64");
    row("kv_heads_null_means_mha", "4×full 16·64/64");
    row("head_dim_differs_from_hidden_over_heads", "4×full 4·128/128");
    row("old_names_n_layer_n_head", "12×full 12·64/64");
    row("multi_query_is_one_head", "4×full 1·128/128");
    row("multi_query_overruled_by_new_architecture", "4×full 8·64/64");
    row("multi_query_beats_kv_heads_of_old_falcon", "4×full 1·64/64");
    row("multi_query_group_num", "4×full 2·128/128");
    row("nested_attn_config", "4×full 4·64/64");
    row("nested_text_config_wins", "4×full 4·128/128");
    row("deeper_nested_text_config", "4×full 4·64/64");
    row("minimal_file_takes_class_defaults", "29×sliding 4·256/256 w1024, 5×full 4·256/256");
    row("window_switched_off", "4×full 4·64/64");
    row("window_on_upper_layers", "3×full 4·64/64, 1×sliding 4·64/64 w1024");
    row("window_longer_than_context", "4×full 4·64/64");
    row("window_on_every_layer", "4×sliding 4·64/64 w1024");
    row("window_pattern_as_number", "5×sliding 4·64/64 w512, 2×full 4·64/64");
    row("window_pattern_as_letters", "5×sliding 4·64/64 w512, 1×full 4·64/64");
    row("layer_types_in_words", "2×sliding 4·64/64 w128, 2×full 4·64/64");
    row("hybrid_layer_pattern_with_own_widths", "2×full 4·192/128, 2×sliding 8·192/128 w128");
    row("global_layers_with_own_heads", "5×sliding 4·256/256 w1024, 1×full 2·512/512");
    row("last_layers_share_a_cache", "3×sliding 4·256/256 w512, 1×full 4·512/512, 2×shared");
    row("chunks_and_layers_without_rope", "6×chunked 4·128/128 c8192, 2×full 4·128/128");
    row("latent_attention", "4×latent 512+64");
    row("latent_attention_with_indexer", "4×latent 512+64 i128");
    row("indexer_on_some_layers", "2×latent 512+64 i128, 2×latent 512+64");
    row("indexer_beside_heads", "1×full 4·128/128, 3×full 4·128/128 i128");
    row("latent_rank_null_means_heads", "4×full 4·64/64");
    row("compress_ratios_with_a_draft_entry",
        "1×compressed 512 r0 w128, 2×compressed 512 r4 w128 i128, 1×compressed 512 r128 w128");
    row("cross_attention_layers", "4×full 4·64/64, 1×cross 4·64/64 e6404");
    row("gated_delta_by_interval", "6×recurrent 524288·4B 24576·2B, 2×full 4·256/256");
    row("gated_delta_in_words", "3×recurrent 524288·2B 24576·2B, 1×full 4·256/256");
    row("kimi_lists_count_from_one", "3×recurrent 262144·4B 18432·2B, 1×latent 512+64");
    row("mamba_by_period_and_offset", "7×recurrent 32768·4B 6144·2B, 1×full 4·64/64");
    row("mamba_inner_width_is_not_expand", "4×recurrent 131072·4B 24576·2B");
    row("mamba2_pattern_string_and_infinity", "3×recurrent 524288·4B 18432·2B, 1×full 4·128/128");
    row("layers_block_type_counts_the_layers", "1×recurrent 524288·4B 18432·2B, 1×full 4·128/128");
    row("mamba_keys_though_all_layers_attend", "4×full 4·64/64");
    row("mamba2_head_width_auto", "3×recurrent 262144·4B 6912·2B, 1×full 4·64/64");
    row("attention_and_mamba_side_by_side", "4×full 4·64/64, 4×recurrent 196608·4B 5376·2B");
    row("lightning_by_attn_type_list", "3×recurrent 262144·4B 0·2B, 1×full 4·128/128");
    row("short_convolution", "3×recurrent 0·4B 3072·2B, 1×full 4·64/64");
    row("attention_left_out_by_search", "1×full 4·64/64, 1×full 2·64/64");
    row("mistral_params_json", "4×full 4·128/128");
    row("checkpoint_quantisation_is_not_the_caches", "4×full 4·64/64");
    row("checkpoint_names_the_caches_format", "4×full 4·64/64");
    row("experts_alone_are_quantised", "4×latent 512+64");
}

void TestReadConfig::readsEachKindOfTrap()
{
    QFETCH(QString, shape);
    const auto read = readArchitecture(fixture(QTest::currentDataTag()));
    QVERIFY2(read, read ? "" : read.error().sentence().c_str());
    QCOMPARE(QString::fromStdString(shapeText(*read)), shape);
    QCOMPARE(read->name, std::string(QTest::currentDataTag()));
}

void TestReadConfig::everyFixtureHasARow()
{
    QCOMPARE(QDir(QString("%1/configs").arg(KVPLAN_FIXTURES)).entryList({"*.json"}, QDir::Files).size(), 48);
}

void TestReadConfig::saysTheOrderOfLayers()
{
    const auto pattern = readArchitecture(fixture("window_pattern_as_number"));
    QCOMPARE(pattern->order, (std::vector<std::int32_t>{0, 0, 1, 0, 0, 1, 0}));
    const auto offset = readArchitecture(fixture("mamba_by_period_and_offset"));
    QCOMPARE(offset->order, (std::vector<std::int32_t>{0, 0, 0, 0, 1, 0, 0, 0}));
    QCOMPARE(offset->layers, 8);
    // Layers without a cache are counted and have no place in the order.
    const auto words = readArchitecture(fixture("layers_block_type_counts_the_layers"));
    QCOMPARE(words->order, (std::vector<std::int32_t>{0, 1}));
    QCOMPARE(words->layers, 4);
}

void TestReadConfig::countsParameters_data()
{
    QTest::addColumn<qint64>("total");
    QTest::addColumn<qint64>("active");
    const qint64 embeddings = 2 * 32000 * 1024;
    const qint64 norms = 4 * 2 * 1024 + 1024;
    const qint64 attention = 1024 * 64 * (16 + 16 + 4 + 4);
    const qint64 mlp = 3 * 1024 * 2816;
    QTest::newRow("plain_gqa") << embeddings + norms + 4 * (attention + mlp)
                               << embeddings + norms + 4 * (attention + mlp);
    // Mamba-1: inner 2048, state 16, rank 64, kernel 4; experts in every second layer, 2 of 16.
    const qint64 mamba = 1024 * 4096 + 2048 * 5 + 2048 * (64 + 32) + 2048 * 65 + 2048 * 17 + 2048 * 1024;
    const qint64 common = embeddings + 8 * 2 * 1024 + 1024 + 7 * mamba + attention + 4 * mlp + 4 * 1024 * 16;
    QTest::newRow("mamba_by_period_and_offset") << common + 4 * 16 * mlp << common + 4 * 2 * mlp;
    // Plain up and down, positions learned, one matrix in and out.
    const qint64 gpt2 = 768 * (50257 + 1024) + 12 * (4 * 768 * 768 + 2 * 768 * 3072 + 2 * 768) + 768;
    QTest::newRow("old_names_n_layer_n_head") << gpt2 << gpt2;
    // Feed-forward widths of 2.625 and 1 and ½ times 8/3 of 1,024, to multiples of 256; one has none.
    const qint64 search
        = embeddings + norms + 1024 * 64 * (32 + 8) + 1024 * 64 * (32 + 4) + 3 * 1024 * (1792 + 768 + 512);
    QTest::newRow("attention_left_out_by_search") << search << search;
}

void TestReadConfig::countsParameters()
{
    QFETCH(qint64, total);
    QFETCH(qint64, active);
    const auto read = readArchitecture(fixture(QTest::currentDataTag()));
    QVERIFY(read);
    QCOMPARE(qint64(*read->parameters), total);
    QCOMPARE(qint64(*read->activeParameters), active);
}

void TestReadConfig::readsTheCheckpointsFormat_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("cache");
    const qint64 kept = 2 * 32000 * 1024 + 4 * 2 * 1024 + 1024;
    const qint64 attention = 4 * 1024 * 64 * 40;
    const qint64 mlp = 4 * 3 * 1024 * 2816;
    const auto blocks = [](qint64 parameters) { return parameters / 16384 * 16388; };
    QTest::newRow("plain_gqa") << "bf16" << qint64(0) << "";
    QTest::newRow("checkpoint_quantisation_is_not_the_caches")
        << "fp8" << 2 * kept + blocks(attention) + blocks(mlp) << "";
    QTest::newRow("checkpoint_names_the_caches_format") << "fp8" << 2 * (kept + attention) + mlp << "fp8";
    // Experts of three layers in groups of 32 with a 2-byte scale; all else in 16 bits.
    const qint64 routed = 3 * 8 * 3 * 1024 * 512;
    QTest::newRow("experts_alone_are_quantised") << "int4" << qint64(160990208 - routed) * 2 + routed / 32 * 18 << "";
}

void TestReadConfig::readsTheCheckpointsFormat()
{
    QFETCH(QString, format);
    QFETCH(qint64, bytes);
    QFETCH(QString, cache);
    const auto read = readArchitecture(fixture(QTest::currentDataTag()));
    QVERIFY(read);
    QCOMPARE(QString::fromStdString(read->weightFormat), format);
    QCOMPARE(qint64(read->weightsBytes.value_or(Bytes(0)).count()), bytes);
    const std::string_view named = read->cacheFormat ? name(*read->cacheFormat) : "";
    QCOMPARE(QString::fromUtf8(named.data(), qsizetype(named.size())), cache);
}

void TestReadConfig::warns_data()
{
    QTest::addColumn<QString>("about");
    QTest::newRow("latent_attention") << "draft layer";
    QTest::newRow("window_longer_than_context") << "never cuts";
    QTest::newRow("mistral_params_json") << "no longest sequence";
    QTest::newRow("minimal_file_takes_class_defaults") << "default of gemma3_text";
}

void TestReadConfig::warns()
{
    QFETCH(QString, about);
    const auto read = readArchitecture(fixture(QTest::currentDataTag()));
    QVERIFY(read);
    QVERIFY(std::ranges::any_of(
        read->warnings, [&](const std::string& warning) { return QString::fromStdString(warning).contains(about); }));
}

void TestReadConfig::refuses_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, std::string text, const char* says) { QTest::newRow(name) << text << says; };
    row("empty", "", "the file is empty");
    row("white space alone", " \n\t", "the file is empty");
    row("broken on line 3", "{\n\"hidden_size\": 1,\n\"n_layer\": }", "line 3");
    row("cut off", "{\"hidden_size\": 1024,", "not JSON");
    row("string without an end", "{\"hidden", "not JSON");
    row("backslash at the end", "{\"hidden\\", "not JSON");
    row("bytes that are no text", "{\"model_type\": \"\xff\xfe\"}", "not JSON");
    row("a list", "[1, 2]", "array and not an object");
    row("a number", "7", "number and not an object");
    row("deep nesting", std::string(100000, '['), "deeper than 64");
    row(
        "deep nesting of objects",
        [] {
            std::string text;
            for (int i = 0; i < 50000; ++i) {
                text += "{\"a\":";
            }
            return text;
        }(),
        "deeper than 64");
    row("number beyond all machines", "{\"a\": 1e999}", "no machine can hold");
    row("nothing in it", "{}", "num_hidden_layers is missing");
    row("negative layers", llamaWith("\"num_hidden_layers\": -1"), "num_hidden_layers is -1 and not between");
    row("zero layers", llamaWith("\"num_hidden_layers\": 0"), "num_hidden_layers is 0");
    row("huge layers", llamaWith("\"num_hidden_layers\": 1e18"), "num_hidden_layers is 1e+18");
    row("a fraction of a layer", llamaWith("\"num_hidden_layers\": 3.5"), "not a whole number");
    row("NaN layers", llamaWith("\"num_hidden_layers\": NaN"), "num_hidden_layers is \"NaN\"");
    row("infinite heads", llamaWith("\"num_attention_heads\": Infinity"), "num_attention_heads is \"Infinity\"");
    row("layers as text", llamaWith("\"num_hidden_layers\": \"32\""), "num_hidden_layers is \"32\"");
    row("layers as a list", llamaWith("\"num_hidden_layers\": [1]"), "num_hidden_layers is [1]");
    row("zero heads", llamaWith("\"num_attention_heads\": 0"), "num_attention_heads is 0");
    row("KV heads that do not divide", llamaWith("\"num_key_value_heads\": 3"), "3 KV heads do not divide 16");
    row("more KV heads than heads", llamaWith("\"num_key_value_heads\": 32"), "32 KV heads do not divide 16");
    row("heads that do not divide the width", llamaWith("\"num_attention_heads\": 12"), "head_dim is missing");
    row("a kind of layer nobody knows",
        llamaWith("\"layer_types\": [\"full_attention\", \"telepathy\", \"full_attention\", \"full_attention\"]"),
        "telepathy");
    row("fewer kinds than layers", llamaWith("\"layer_types\": [\"full_attention\"]"), "num_hidden_layers is 4");
    row("more kinds than layers",
        llamaWith("\"layer_types\": [\"attention\", \"attention\", \"attention\", \"attention\", \"attention\"]"),
        "has 5");
    row("layer kinds that are no list", llamaWith("\"layer_types\": 4"), "layer_types is not a list");
    row("a letter nobody knows", llamaWith("\"hybrid_override_pattern\": \"M*Q-\""), "letter 'Q'");
    row("full layers beyond the last", llamaWith("\"attn_layer_indices\": [9]"), "names layer 9");
    row("recurrent layers nobody places", llamaWith("\"mamba_d_state\": 16"), "no key says which layers are recurrent");
    row("latent without its rotary part", llamaWith("\"kv_lora_rank\": 512"), "qk_rope_head_dim is missing");
    row("too few compress ratios", llamaWith("\"head_dim\": 512, \"compress_ratios\": [4]"), "compress_ratios has 1");
    row("an encoder", "{\"model_type\": \"bert\", \"hidden_size\": 8}", "it is an encoder");
    row("an encoder-decoder", "{\"model_type\": \"whisper\", \"is_encoder_decoder\": true}", "encoder-decoder");
    row("a vision tower", "{\"model_type\": \"clip_vision_model\"}", "without a language model");
    row("every layer shared", llamaWith("\"num_kv_shared_layers\": 4"), "num_kv_shared_layers is 4");
    row("a group that does not divide the heads",
        llamaWith("\"num_hidden_layers\": 1, \"block_configs\": [{\"attention\": {\"n_heads_in_group\": 32}}]"),
        "n_heads_in_group");
    row("more parameters than any model", llamaWith("\"num_local_experts\": 1000000, \"hidden_size\": 524288"),
        "more than 10¹⁵ parameters");
    row("parameters beyond 64 bits",
        llamaWith("\"num_local_experts\": 1000000, \"intermediate_size\": 1000000, \"hidden_size\": 1000000, "
                  "\"num_hidden_layers\": 10000, \"head_dim\": 64"),
        "64 bits");
}

void TestReadConfig::refuses()
{
    QFETCH(std::string, text);
    QFETCH(QString, says);
    const auto read = readConfigJson(text, "bad", "bad.json");
    QVERIFY(!read);
    const QString sentence = QString::fromStdString(read.error().sentence());
    QVERIFY2(sentence.contains(says), qPrintable(sentence));
}

void TestReadConfig::namesTheModelAfterItsFolder()
{
    QTemporaryDir folder;
    const std::filesystem::path model = std::filesystem::path(folder.path().toStdString()) / "Small-1B";
    std::filesystem::create_directory(model);
    writeFile(model / "config.json", llamaWith("\"tie_word_embeddings\": true"));
    for (const auto& path : {model, model / "config.json"}) {
        const auto read = readArchitecture(path);
        QVERIFY(read);
        QCOMPARE(read->name, std::string("Small-1B"));
    }
}

void TestReadConfig::readsTheQuantisationBesideTheFile()
{
    QTemporaryDir folder;
    const std::filesystem::path model(folder.path().toStdString());
    writeFile(model / "config.json", llamaWith("\"tie_word_embeddings\": true"));
    writeFile(model / "hf_quant_config.json",
        R"({"quantization": {"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head"]}})");
    const auto read = readArchitecture(model);
    QVERIFY(read);
    QCOMPARE(read->weightFormat, std::string("nvfp4"));
    QVERIFY(read->cacheFormat == CacheFormat::Fp8);
    writeFile(model / "hf_quant_config.json", "not JSON");
    QCOMPARE(readArchitecture(model)->weightFormat, std::string("bf16"));
}

void TestReadConfig::refusesWhatIsNoConfig()
{
    QTemporaryDir folder;
    const std::filesystem::path empty(folder.path().toStdString());
    QVERIFY(readArchitecture(empty).error().code == ErrorCode::NotFound);
    QVERIFY(readArchitecture(empty / "nothing.json").error().code == ErrorCode::NotFound);
    for (const char* name : {"model.gguf", "model.safetensors"}) {
        writeFile(empty / name, "GGUF");
        QVERIFY(readArchitecture(empty / name).error().code == ErrorCode::Unsupported);
    }
}

void TestReadConfig::refusesAHugeFileBeforeReadingIt()
{
    QTemporaryDir folder;
    const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "config.json";
    writeFile(path, "{");
    std::filesystem::resize_file(path, std::uintmax_t{2} << 30);
    const auto read = readArchitecture(path);
    QVERIFY(!read);
    QVERIFY(read.error().code == ErrorCode::TooLarge);
}

QTEST_GUILESS_MAIN(TestReadConfig)
#include "tst_read_config.moc"
