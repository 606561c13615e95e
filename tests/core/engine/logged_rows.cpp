// SPDX-License-Identifier: GPL-3.0-or-later
#include "logged_rows.h"

#include "core/engine/log/check_log.h"
#include "engine_models.h"

#include <algorithm>
#include <cmath>

namespace kvplan::testing {

namespace {

constexpr CacheFormat bf16 = CacheFormat::Bf16;
constexpr CacheFormat fp8 = CacheFormat::Fp8;
constexpr CacheFormat fp16 = CacheFormat::Fp16;

LoggedFigure bytes(const char* text)
{
    return parseLoggedBytes(text).value();
}

LoggedFigure exact(std::int64_t value)
{
    const auto number = static_cast<double>(value);
    return {number, number, number};
}

struct Launch {
    CacheFormat format = bf16;
    std::int64_t tensor = 1;
    std::int64_t block = 0; ///< 0: the engine's default
    std::int64_t length = 32768;
    std::int64_t draft = 0;
    std::vector<std::int64_t> stage = {};
};

EngineSetup setupOf(const Launch& launch)
{
    EngineSetup result = setup(Bytes(std::int64_t{1} << 40), launch.length);
    result.formats = both(launch.format);
    result.sharding.tensor = launch.tensor;
    if (launch.block > 0) {
        result.blockTokens = Tokens(launch.block);
    }
    result.speculativeTokens = launch.draft;
    result.layersOfGroup = launch.stage;
    return result;
}

std::int64_t valueOf(const EngineAccount& account, const std::string& key)
{
    return key == "kv_tokens" ? account.reportedTokens.count() : figure(account, key);
}

/// vLLM and TensorRT-LLM: what a logged pool comes to, at both ends of its rounding.
LoggedFigure ofPool(const char* engine, const char* version, const Architecture& model, const EngineSetup& launch,
    const LoggedFigure& pool, const std::string& key)
{
    const EngineRules& rules = *findEngineRules(engine);
    const auto band = accountBand(rules, chooseVersion(rules, version).version, {model, launch}, pool).value();
    const auto low = static_cast<double>(valueOf(band.low, key));
    const auto high = static_cast<double>(valueOf(band.high, key));
    return {(low + high) / 2, low, high};
}

std::function<LoggedFigure()> vllm(
    const char* version, Architecture model, Launch launch, const char* pool, const char* key = "kv_tokens")
{
    return [=] { return ofPool("vllm", version, model, setupOf(launch), bytes(pool), key); };
}

std::function<LoggedFigure()> vllmFigure(const char* version, Architecture model, Launch launch, const char* key)
{
    return
        [=] { return exact(figure(accountVllm(model, setupOf(launch), *parseEngineVersion(version)).value(), key)); };
}

std::function<LoggedFigure()> vllmPool(double total, double fraction, double weights, double activation, double other)
{
    return [=] {
        EngineMemory memory;
        memory.capacity = exactly(bytesFromGib(total), Basis::Measured);
        memory.fraction = fraction;
        memory.weights = exactly(bytesFromGib(weights), Basis::Measured);
        memory.activation = exactly(bytesFromGib(activation), Basis::Measured);
        memory.other = exactly(bytesFromGib(other), Basis::Measured);
        const auto pool = static_cast<double>(vllmBudget(memory, {0, 6, 4}).usable.count());
        // Four terms, each rounded to 0.01 GiB.
        const double rounding = 0.005 * 0x1p30 * (3 + fraction);
        return LoggedFigure{pool, pool - rounding, pool + rounding};
    };
}

/// SGLang: a tensor of a pool of so many tokens, and one page.
std::function<LoggedFigure()> sglang(Architecture model, Launch launch, std::int64_t tokens, const char* key)
{
    return [=] {
        EngineSetup with = setupOf(launch);
        const Architecture& shape = model;
        const EngineAccount any = accountSglang(shape, with, {0, 5, 16}).value();
        const Bytes token = any.pools.front().blockBytes;
        with.pool = Bytes(token.count() / with.blockTokens.value_or(Tokens(1)).count() * tokens);
        return exact(figure(accountSglang(shape, with, {0, 5, 16}).value(), key));
    };
}

/// SGLang: states of a cache of so many slots, and one more. Only the recurrent layers are given.
std::function<LoggedFigure()> sglangStates(Architecture model, Launch launch, std::int64_t slotCount)
{
    return [=] {
        EngineSetup with = setupOf(launch);
        const EngineAccount any = accountSglang(model, with, {0, 5, 16}).value();
        return exact(any.pools.front().blockBytes.count() * (slotCount + 1));
    };
}

std::function<LoggedFigure()> tensorRt(const char* version, Architecture model, std::int64_t block, std::int64_t tokens)
{
    return [=] {
        EngineSetup with = setupOf({fp16, 1, block});
        with.tensorRt.maxTokens = Tokens(tokens);
        return exact(figure(accountTensorRt(model, with, *parseEngineVersion(version)).value(), "kv_pool_bytes"));
    };
}

std::function<LoggedFigure()> llama(Architecture model, std::int64_t context, CacheFormat format, const char* key,
    std::int64_t slotCount = 1, std::int64_t rollback = 0, bool fullWindows = false, std::int64_t build = 8700)
{
    return [=] {
        EngineSetup with = setupOf({format});
        with.maxSequences = slotCount;
        with.llamaCpp.contextTokens = Tokens(context);
        with.llamaCpp.rollbackStates = rollback;
        with.llamaCpp.fullWindows = fullWindows;
        const EngineAccount account = accountLlamaCpp(model, with, {build, 0, 0}).value();
        if (std::string(key) == "state_bytes") {
            return exact(figure(account, "r_bytes") + figure(account, "s_bytes"));
        }
        return exact(figure(account, key));
    };
}

const Architecture kimiK2 = of({{61, LatentAttention{512, 64, 0}}}, 64);
const Architecture qwenMoe30b = dense(48, 4, 128, 32);
const Architecture v2LiteAsHeads = dense(27, 16, 256, 16); // 192 and 128 wide, both padded to 256
const Architecture r1AsHeads = of({{61, FullAttention{128, 192, 128}}}, 128);
const Architecture graniteStates = of({{36, RecurrentState{128 * 64 * 128, 3 * (128 * 64 + 2 * 128), 4, 0}}}, 32);
const Architecture qwen9b = of({{24, gatedDelta(16, 32)}, {8, FullAttention{4, 256, 256}}}, 16);
const Architecture fullOf27b = of({{16, FullAttention{4, 256, 256}}}, 24);
const Architecture fullOf35b = of({{10, FullAttention{2, 256, 256}}}, 16);
const Architecture gptOss120b
    = of({{18, SlidingAttention{8, 64, 64, Tokens(128)}}, {18, FullAttention{8, 64, 64}}}, 64);
const Architecture gemma4_12b
    = of({{40, SlidingAttention{8, 256, 256, Tokens(1024)}}, {8, FullAttention{1, 512, 512}}}, 16);
const char* const elsewhere = "another rank's pool binds, as it seems: its line is not in the log";

std::vector<LoggedRow> rows()
{
    const Launch tp2{bf16, 2};
    return {
        {"V01", "Llama-3.1-8B: blocks of 3.81 GiB", "1952", vllm("0.6", llama8b, {}, "3.81 GiB", "pool_blocks")},
        {"V02", "Llama-3.1-8B: blocks of 2.89 GiB", "1478", vllm("0.6", llama8b, {}, "2.89 GiB", "pool_blocks")},
        {"V03", "RTX 3090: pool", "3.81 GiB", vllmPool(23.58, 0.9, 0, 17.06, 0.35)},
        {"V04", "Llama-3.1-8B: CPU blocks", "2048", vllmFigure("0.6", llama8b, {}, "cpu_blocks")},
        {"V05", "Llama-2-7B: CPU blocks", "512", vllmFigure("0.2.2", dense(32, 32, 128, 32), {}, "cpu_blocks")},
        {"V06", "Mistral-7B: CPU blocks", "2048",
            vllmFigure("0.2.2", of({{32, SlidingAttention{8, 128, 128, Tokens(4096)}}}, 32), {}, "cpu_blocks")},
        {"V07", "deepseek-coder-6.7b TP 2: CPU blocks", "1024",
            vllmFigure("0.4", dense(32, 32, 128, 32), {fp16, 2}, "cpu_blocks")},
        {"V10", "DeepSeek-V2-Lite stored as heads: blocks", "5373",
            vllm("0.6.4", v2LiteAsHeads, {fp16}, "35.42 GiB", "pool_blocks")},
        {"V11", "H100 beside another process: pool", "35.42 GiB", vllmPool(79.10, 0.9, 0, 30.56, 5.21)},
        {"V13", "Llama-3-8B, 71.29 GiB usable: pool", "53.29 GiB", vllmPool(71.29, 1, 14.96, 1.26, 1.79)},
        {"V20", "Qwen3-235B TP 16: tokens of exact bytes", "521088",
            vllm("0.13.0", dense(94, 4, 128, 64), {bf16, 16, 128}, "25083870720 B")},
        {"V24", "Qwen3-32B TP 2: tokens", "67,296", vllm("0.28", dense(64, 8, 128, 64), tp2, "8.22 GiB")},
        {"V25", "Qwen3-32B PP 2: tokens", "56,640",
            vllm("0.28", dense(64, 8, 128, 64), {bf16, 1, 0, 32768, 0, {32}}, "6.92 GiB")},
        {"V26", "Qwen3-30B-A3B TP 2: tokens", "566,016", vllm("0.10.2", qwenMoe30b, tp2, "25.91 GiB")},
        {"V30", "Qwen2.5-1.5B: tokens", "20,992", vllm("0.20.1", dense(28, 2, 128, 12), {}, "0.56 GiB"), Expect::Coarse,
            "the pool is rounded to 0.9 %"},
        {"V31", "Qwen2.5-3B: GiB that 32,000 tokens need", "1.1 GiB",
            [] {
                return exact(accountVllm(dense(36, 2, 128, 16), setupOf({bf16, 1, 0, 32000}), {0, 24, 0})
                                 .value()
                                 .sequenceBytes(Tokens(32000))
                                 .count());
            },
            Expect::Coarse, "the need is rounded to 4.5 %"},
        {"V45", "R1-Distill-14B TP 2: tokens", "81536", vllm("0.7", dense(48, 8, 128, 40), tp2, "8.69 GiB"),
            Expect::Deviates, elsewhere},
        {"V47", "56 of 64 layers beside 8: tokens", "46,800",
            [] {
                // The short stage's 20,480 blocks leave its pool open by less than one block.
                const std::int64_t layer = 16 * 4096;
                EngineSetup stage = setupOf({bf16, 1, 0, 8192, 0, {56}});
                const auto low = static_cast<double>(20480 * 8 * layer);
                const auto high = static_cast<double>(20481 * 8 * layer - 1);
                return ofPool("vllm", "0.10", dense(64, 8, 128, 64), stage, {low, low, high}, "kv_tokens");
            }},
        {"V48", "Llama-3.1-70B: concurrency of 1,381 blocks", "10.79",
            [] {
                EngineSetup with = setupOf({bf16, 1, 0, 2048});
                with.pool = Bytes(1381 * std::int64_t{5242880});
                const double x = accountVllm(llama70b, with, {0, 7, 0}).value().reportedConcurrency;
                return LoggedFigure{x, x, x};
            }},
        {"V61", "Kimi-K2 TP 8: tokens", "715,072", vllm("0.11.1", kimiK2, {bf16, 8, 64}, "46.80 GiB")},
        {"V89", "Nemotron 30B-A3B: block", "4176", vllmFigure("0.19.0", nemotronNano, {fp8}, "block_tokens")},
        {"V91", "Qwen3.5-27B: block", "784", vllmFigure("0.19", qwen35_27b, {fp16}, "block_tokens")},
        {"V92", "Qwen3.5-0.8B: block", "544", vllmFigure("0.21", qwen35_08b, {}, "block_tokens")},
        {"S07", "Kimi-K2.5 TP 8: KV size", "160.63 GiB", sglang(kimiK2, {bf16, 8}, 2454421, "kv_bytes")},
        {"S08", "DeepSeek-V3 fp8: KV size", "87.01 GiB", sglang(deepseekV3, {fp8, 8, 64}, 2659072, "kv_bytes")},
        {"S12", "Grok-2 TP 8: K size", "13.79 GiB", sglang(dense(64, 8, 128, 64), {bf16, 8}, 903439, "k_bytes")},
        {"S15", "Qwen2.5-0.5B: K size", "0.12 GiB", sglang(dense(24, 2, 64, 14), {}, 20480, "k_bytes"), Expect::Coarse,
            "the size is rounded to 4.2 %"},
        {"S19", "Granite-4.0-H-Small: 218 states", "30.8 GiB", sglangStates(graniteStates, {}, 218)},
        {"S28", "Gemma-4-E4B: window K size", "21.51 GiB",
            sglang(of({gemma4_E4B.groups[0]}, 8), {}, 644444, "k_bytes")},
        {"S29", "Gemma-4-E4B: full K size", "10.76 GiB", sglang(of({gemma4_E4B.groups[1]}, 8), {}, 805556, "k_bytes")},
        {"S30", "Gemma-4-E4B nvfp4: window K size", "21.40 GiB",
            sglang(of({gemma4_E4B.groups[0]}, 8), {CacheFormat::Nvfp4}, 2279878, "k_bytes")},
        {"S31", "Gemma-4-E4B nvfp4: full K size", "10.70 GiB",
            sglang(of({gemma4_E4B.groups[1]}, 8), {CacheFormat::Nvfp4}, 2849848, "k_bytes")},
        {"T02", "Qwen1.5-7B: blocks of 0.9 × 21.89 GiB", "631",
            [] {
                return ofPool("tensorrt-llm", "0.13.0", dense(32, 32, 128, 32), setupOf({fp16, 1, 64}),
                    bytes("21.89 GiB").times(0.9), "kv_pool_bytes")
                    .times(1.0 / (64 * 524288.0));
            }},
        {"T08", "Qwen2.5-0.5B: allocated", "2.18 GiB", tensorRt("1.0", dense(24, 2, 64, 14), 32, 190656)},
        {"T09", "Qwen2.5-1.5B: allocated", "7.31 GiB", tensorRt("1.0", dense(28, 2, 128, 12), 32, 273792)},
        {"T10", "Qwen2.5-Coder-0.5B: allocated", "4.53 GiB", tensorRt("0.14", dense(24, 2, 64, 14), 64, 395776)},
        {"T11", "Nemotron, 32 layers: allocated", "1.56 GiB", tensorRt("1.2.1", llama8b, 32, 12800)},
        {"L03", "DeepSeek-R1 stored as heads", "19520.00 MiB", llama(r1AsHeads, 4096, fp16, "kv_pool_bytes")},
        {"L08", "Qwen3.5, 24 recurrent layers, 4 slots", "201.00 MiB", llama(qwen9b, 4096, fp16, "state_bytes", 4)},
        {"L09", "Qwen3.5, 8 full layers", "4224.00 MiB",
            llama(of({qwen9b.groups[1]}), 135168, fp16, "kv_pool_bytes", 4)},
        {"L10", "Qwen3.5-27B: states", "149.62 MiB", llama(qwen35_27b, 4096, fp16, "state_bytes")},
        {"L11", "Qwen3.5-27B: cache", "1536.00 MiB", llama(fullOf27b, 24576, fp16, "kv_pool_bytes")},
        {"L13", "27B with MTP: cache", "16384.00 MiB", llama(fullOf27b, 262144, fp16, "kv_pool_bytes")},
        {"L14", "27B with MTP: the draft's one layer", "1024.00 MiB",
            llama(dense(1, 4, 256), 262144, fp16, "kv_pool_bytes")},
        {"L18", "27B q4_0", "3528.00 MiB", llama(fullOf27b, 200704, CacheFormat::Q4_0, "kv_pool_bytes")},
        {"L23", "35B-A3B q8_0", "680.00 MiB", llama(fullOf35b, 65536, CacheFormat::Q8_0, "kv_pool_bytes")},
        {"L24", "35B-A3B: states", "62.81 MiB", llama(qwen35_35b, 4096, fp16, "state_bytes")},
        {"L25", "gpt-oss-20b: full part", "3072.00 MiB",
            llama(of({gptOss20b.groups[1]}), 131072, fp16, "kv_pool_bytes")},
        {"L29", "gpt-oss-120b: windows kept whole", "144.00 MiB",
            [] {
                const auto one = [](const char* key) { return llama(gptOss120b, 4096, fp16, key, 1, 0, true)().value; };
                const double sum = one("window_k_bytes") + one("window_v_bytes");
                return LoggedFigure{sum, sum, sum};
            }},
        {"L30", "gpt-oss-20b q8_0: full part", "102.00 MiB",
            llama(of({gptOss20b.groups[1]}), 8192, CacheFormat::Q8_0, "kv_pool_bytes")},
        {"L31", "gpt-oss-20b over 8 devices, all together", "3072.00 MiB",
            [] {
                double sum = 0;
                for (const std::int64_t layers : {2, 1, 2, 1, 2, 1, 2, 1}) {
                    EngineSetup with = setupOf({fp16});
                    with.layersOfGroup = {layers};
                    with.maxSequences = 1;
                    with.llamaCpp.contextTokens = Tokens(131072);
                    const auto account = accountLlamaCpp(of({gptOss20b.groups[1]}), with, {6500, 0, 0}).value();
                    sum += static_cast<double>(figure(account, "kv_pool_bytes"));
                }
                return LoggedFigure{sum, sum, sum};
            }},
        {"L41", "OpenLLaMA-3B", "162.50 MiB", llama(dense(26, 32, 100), 512, fp16, "kv_pool_bytes", 1, 0, false, 1000)},
        {"L48", "Llama-2-70B", "640 MiB", llama(llama70b, 2048, fp16, "kv_pool_bytes", 1, 0, false, 1700)},
        {"L49", "35B-A3B q4_0, a tool's estimate", "0.70 GiB",
            llama(fullOf35b, 131072, CacheFormat::Q4_0, "kv_pool_bytes")},
        {"D01", "InternLM-7B, TurboMind: a block of 128", "64 MiB",
            vllmFigure("0.24", dense(32, 32, 128, 32), {fp16, 1, 128}, "block_bytes")},
        {"H01", "Qwen3-32B: blocks sized for one rank of four", "3258",
            [] {
                const double ratio
                    = static_cast<double>(
                          figure(accountVllm(dense(64, 8, 128, 64), setupOf({}), {0, 24, 0}).value(), "block_bytes"))
                    / static_cast<double>(figure(
                        accountVllm(dense(64, 8, 128, 64), setupOf({bf16, 4}), {0, 24, 0}).value(), "block_bytes"));
                return LoggedFigure{814 * ratio, 814 * ratio, 815 * ratio};
            }},
        {"X01", "Qwen-32B, k4v8 over q4 at 8,192", "270 MiB",
            [] {
                const Bytes wider = rowBytes(CacheFormat::Int8, 128) - rowBytes(CacheFormat::Int4, 128);
                return exact((wider * (std::int64_t{8192} * 64 * 8)).count());
            },
            Expect::Deviates, "a difference of whole processes' memory, not of caches"},

        // Others, whose model or a setting was worked out from the log: arithmetic that must come out.
        {"configiq 112", "Gemma-4-31B on an H200: tokens", "626,949",
            [] {
                EngineSetup with = setupOf({bf16, 1, 0, 262144});
                return ofPool("vllm", "0.24", gemma4_31b, with, bytes("64.68 GiB"), "kv_tokens");
            }},
        {"V17", "62 layers of 8 heads: tokens", "53,136", vllm("0.15", dense(62, 8, 128, 48), {}, "12.57 GiB")},
        {"V33", "Qwen3-30B-A3B TP 4: tokens", "100,752", vllm("0.11", qwenMoe30b, {bf16, 4}, "2.31 GiB")},
        {"V38", "Qwen3-30B-A3B fp8: tokens", "88,176", vllm("0.13", qwenMoe30b, {fp8}, "4.04 GiB")},
        {"V40", "GLM-4-9B: tokens", "1,673,040", vllm("0.19.2", dense(40, 2, 128, 32), {}, "63.82 GiB")},
        {"V70", "Qwen3.5-35B-A3B fp8: tokens, before 0.20.1", "148,816",
            [] {
                EngineSetup with = setupOf({fp8});
                with.vllm.stateCaching = StateCaching::Aligned;
                return ofPool("vllm", "0.17.1", qwen35_35b, with, bytes("5.69 GiB"), "kv_tokens");
            }},
        {"V76", "35B-A3B with MTP: tokens, since 0.20.1", "5,463,232",
            [] {
                EngineSetup with = setupOf({fp8, 1, 0, 262144, 3});
                with.vllm.stateCaching = StateCaching::Aligned;
                with.draftLayers = 1;
                return ofPool("vllm", "0.20.1", qwen35_35b, with, bytes("64.69 GiB"), "kv_tokens");
            }},
        {"V77", "Qwen3.8-27B fp8 TP 2: tokens", "302,921",
            [] {
                EngineSetup with = setupOf({fp8, 2, 0, 131072});
                with.vllm.stateCaching = StateCaching::Aligned;
                return ofPool("vllm", "0.24", qwen35_27b, with, bytes("4.99 GiB"), "kv_tokens");
            }},
        {"V85", "gemma-3-1b: tokens", "950,864",
            [] {
                return ofPool("vllm", "0.13", gemma3_1b, setupOf({bf16, 1, 0, 2048}), bytes("25.39 GiB"), "kv_tokens");
            }},
        {"V94", "27B fp8 TP 2, 7 draft tokens: block", "1648",
            vllmFigure("0.24", qwen35_27b, {fp8, 2, 0, 32768, 7}, "block_tokens")},
        {"S05", "GLM-5 fp8: KV size with its indexer", "186.77 GiB",
            sglang(of({{78, LatentAttention{512, 64, 128}}}, 64), {CacheFormat::Fp8DsMla, 8}, 3262823, "kv_bytes")},
        {"S24", "Qwen3.5-9B: K size", "25.19 GiB", sglang(dense(8, 4, 256, 16), {}, 1651079, "k_bytes")},
        {"S36", "gpt-oss-120b: window tokens", "51189",
            [] {
                EngineSetup with = setupOf({bf16, 4});
                const std::int64_t token = 18 * 512;
                with.pool = Bytes((63987 + 51189) * token + token / 2 + token / 3);
                return exact(figure(accountSglang(gptOss120b, with, {0, 5, 16}).value(), "window_tokens"));
            }},
        {"T03", "blocks of 262,144 B a token: allocated", "63.44 GiB",
            tensorRt("0.15", dense(64, 8, 128, 64), 64, 259840)},
        {"L12", "27B, 6 snapshots", "1047.38 MiB", llama(qwen35_27b, 4096, fp16, "state_bytes", 1, 6)},
        {"L26", "gpt-oss-20b: window cells", "768", llama(gptOss20b, 131072, fp16, "window_cells")},
        {"L28", "gpt-oss-20b, no flash attention: window cells", "640",
            [] {
                EngineSetup with = setupOf({fp16});
                with.maxSequences = 1;
                with.llamaCpp.contextTokens = Tokens(131072);
                with.llamaCpp.flashAttention = false;
                return exact(figure(accountLlamaCpp(gptOss20b, with, {6100, 0, 0}).value(), "window_cells"));
            }},
        {"L34", "Gemma-4-12B q8_0, 4 slots: window cells", "4608",
            llama(gemma4_12b, 8192, CacheFormat::Q8_0, "window_cells", 4)},
    };
}

} // namespace

const std::vector<LoggedRow>& loggedRows()
{
    static const std::vector<LoggedRow> all = rows();
    return all;
}

LoggedFigure observed(const LoggedRow& row)
{
    return bytes(row.logged.c_str());
}

bool holds(const LoggedRow& row)
{
    const LoggedFigure predicted = row.predict();
    const LoggedFigure logged = observed(row);
    return predicted.low <= logged.high && logged.low <= predicted.high;
}

} // namespace kvplan::testing
