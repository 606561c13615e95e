// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_rules.h"

#include <QMetaType>

#include <string>
#include <utility>
#include <vector>

namespace kvplan::testing {

inline Architecture of(std::vector<AttentionGroup> groups, std::int64_t queryHeads = 0)
{
    Architecture architecture;
    architecture.groups = std::move(groups);
    architecture.queryHeads = queryHeads;
    for (const AttentionGroup& group : architecture.groups) {
        architecture.layers += group.layers;
    }
    return architecture;
}

inline Architecture dense(std::int64_t layers, std::int64_t kvHeads, std::int64_t width, std::int64_t queryHeads = 0)
{
    return of({{layers, FullAttention{kvHeads, width, width}}}, queryHeads);
}

inline const Architecture llama8b = dense(32, 8, 128, 32);
inline const Architecture llama70b = dense(80, 8, 128, 64);
inline const Architecture deepseekV2Lite = of({{27, LatentAttention{512, 64, 0}}}, 16);
inline const Architecture deepseekV3 = of({{61, LatentAttention{512, 64, 0}}}, 128);
inline const Architecture deepseekV32 = of({{61, LatentAttention{512, 64, 128}}}, 128);
inline const Architecture gptOss20b
    = of({{12, SlidingAttention{8, 64, 64, Tokens(128)}}, {12, FullAttention{8, 64, 64}}}, 64);
inline const Architecture gemma3_1b
    = of({{22, SlidingAttention{1, 256, 256, Tokens(512)}}, {4, FullAttention{1, 256, 256}}}, 4);
inline const Architecture gemma3_27b
    = of({{52, SlidingAttention{16, 128, 128, Tokens(1024)}}, {10, FullAttention{16, 128, 128}}}, 32);
inline const Architecture gemma4_31b
    = of({{50, SlidingAttention{16, 256, 256, Tokens(1024)}}, {10, FullAttention{4, 512, 512}}}, 32);
/// Without the sharing of its last layers, as SGLang keeps it.
inline const Architecture gemma4_E4B
    = of({{35, SlidingAttention{2, 256, 256, Tokens(512)}}, {7, FullAttention{2, 512, 512}}}, 8);

/// Gated delta net: `keyHeads` and `valueHeads` of width 128, kernel of 4 taps.
inline RecurrentState gatedDelta(std::int64_t keyHeads, std::int64_t valueHeads)
{
    return {valueHeads * 128 * 128, 3 * (2 * keyHeads + valueHeads) * 128, 4, 2};
}

inline const Architecture qwen35_27b = of({{48, gatedDelta(16, 48)}, {16, FullAttention{4, 256, 256}}}, 24);
inline const Architecture qwen35_35b = of({{30, gatedDelta(16, 32)}, {10, FullAttention{2, 256, 256}}}, 16);
inline const Architecture qwen35_08b = of({{18, gatedDelta(16, 16)}, {6, FullAttention{2, 256, 256}}}, 8);
/// Mamba2: 64 heads of 64, state 128, 8 groups, kernel of 4 taps.
inline const Architecture nemotronNano
    = of({{23, RecurrentState{64 * 64 * 128, 3 * (64 * 64 + 2 * 8 * 128), 4, 2}}, {6, FullAttention{2, 128, 128}}}, 32);

inline EngineSetup setup(Bytes pool, std::int64_t maxModelLen)
{
    EngineSetup result;
    result.pool = pool;
    result.maxModelLen = Tokens(maxModelLen);
    return result;
}

inline CacheFormats both(CacheFormat format)
{
    return {format, format};
}

/// The figure under this key; -1 where there is none.
inline std::int64_t figure(const EngineAccount& account, std::string_view key)
{
    for (const EngineFigure& each : account.figures) {
        if (each.key == key) {
            return each.value;
        }
    }
    return -1;
}

inline std::int64_t bytesNamed(const std::vector<NamedBytes>& lines, std::string_view name)
{
    for (const NamedBytes& line : lines) {
        if (line.name == name) {
            return line.bytes.count();
        }
    }
    return 0;
}

constexpr double mib = 1048576.0;

} // namespace kvplan::testing

Q_DECLARE_METATYPE(kvplan::Architecture)
Q_DECLARE_METATYPE(kvplan::EngineSetup)
Q_DECLARE_METATYPE(kvplan::EngineVersion)
Q_DECLARE_METATYPE(kvplan::CacheFormats)
