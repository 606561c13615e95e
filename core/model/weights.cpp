// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weights.h"

#include <algorithm>
#include <array>

namespace kvplan {

namespace {

/// bytes = parameters / groupParameters · groupBytes
struct WeightFormat {
    std::string_view name;
    std::int64_t groupParameters;
    std::int64_t groupBytes;
};

// int4: AWQ and GPTQ with groups of 128, a 2-byte scale and a 4-bit zero point (rounded up to a byte) each.
constexpr std::array<WeightFormat, 8> formats{{
    {"fp32", 1, 4},
    {"bf16", 1, 2},
    {"fp16", 1, 2},
    {"fp8", 1, 1},
    {"int8", 1, 1},
    {"nvfp4", 16, 9},
    {"mxfp4", 32, 17},
    {"int4", 128, 67},
}};

constexpr auto names = [] {
    std::array<std::string_view, formats.size()> result{};
    for (std::size_t i = 0; i < formats.size(); ++i) {
        result[i] = formats[i].name;
    }
    return result;
}();

} // namespace

std::span<const std::string_view> weightFormats()
{
    return names;
}

std::optional<Bytes> weightBytes(const Architecture& architecture, std::string_view weightFormat)
{
    const std::string_view wanted = weightFormat.empty() ? "bf16" : weightFormat;
    if (architecture.weightsBytes && wanted == architecture.weightFormat) {
        return architecture.weightsBytes;
    }
    const auto* format = std::ranges::find(formats, wanted, &WeightFormat::name);
    if (format == formats.end() || !architecture.parameters) {
        return std::nullopt;
    }
    constexpr std::int64_t kept = 2;
    const bool shrinks = format->groupBytes < kept * format->groupParameters;
    const std::int64_t embeddings = shrinks ? architecture.embeddingParameters : 0;
    return Bytes(embeddings) * kept
        + Bytes(ceilDivide(*architecture.parameters - embeddings, format->groupParameters)) * format->groupBytes;
}

} // namespace kvplan
