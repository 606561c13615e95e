// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace kvplan {

namespace {

constexpr std::string_view ggml = "ggml block layout";
constexpr std::string_view ocp = "OCP microscaling (MX) specification 1.0";
constexpr std::string_view plain = "IEEE 754 and bfloat16 widths";
constexpr std::string_view perTensor = "one scale a tensor: 0 bytes a token";
constexpr std::string_view perTokenHead = "vLLM per-token-head quantisation: a 4-byte scale a token, head and tensor";

constexpr std::array<CacheFormatInfo, 17> table{{
    {CacheFormat::Fp32, "fp32", 1, 4, 0, plain},
    {CacheFormat::Bf16, "bf16", 1, 2, 0, plain},
    {CacheFormat::Fp16, "fp16", 1, 2, 0, plain},
    {CacheFormat::Fp8DsMla, "fp8_ds_mla", 576, 656, 0, "vLLM and FlashMLA: 512 fp8, 4 fp32 scales, 64 bf16 a token"},
    {CacheFormat::Q8_0, "q8_0", 32, 34, 0, ggml},
    {CacheFormat::Fp8PerTokenHead, "fp8_per_token_head", 1, 1, 4, perTokenHead},
    {CacheFormat::Int8PerTokenHead, "int8_per_token_head", 1, 1, 4, perTokenHead},
    {CacheFormat::Fp8, "fp8", 1, 1, 0, perTensor},
    {CacheFormat::Int8, "int8", 1, 1, 0, perTensor},
    {CacheFormat::Q5_1, "q5_1", 32, 24, 0, ggml},
    {CacheFormat::Q5_0, "q5_0", 32, 22, 0, ggml},
    {CacheFormat::Q4_1, "q4_1", 32, 20, 0, ggml},
    {CacheFormat::Nvfp4, "nvfp4", 16, 9, 0, "NVFP4: an fp8 scale per 16 elements"},
    {CacheFormat::Q4_0, "q4_0", 32, 18, 0, ggml},
    {CacheFormat::Iq4Nl, "iq4_nl", 32, 18, 0, ggml},
    {CacheFormat::Mxfp4, "mxfp4", 32, 17, 0, ocp},
    {CacheFormat::Int4, "int4", 2, 1, 0, perTensor},
}};

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

} // namespace

std::span<const CacheFormatInfo> cacheFormats()
{
    return table;
}

const CacheFormatInfo& info(CacheFormat format)
{
    return *std::ranges::find(table, format, &CacheFormatInfo::format);
}

Result<CacheFormat> cacheFormatFromName(std::string_view name)
{
    const std::string wanted = lowered(name);
    const auto* found = std::ranges::find(table, wanted, &CacheFormatInfo::name);
    if (found == table.end()) {
        std::string names;
        for (const CacheFormatInfo& format : table) {
            names += (names.empty() ? "" : ", ") + std::string(format.name);
        }
        return failure(
            ErrorCode::NotFound, fmt::format("there is no cache format \"{}\"", name), "", "use one of " + names);
    }
    return found->format;
}

Result<void> checkRowWidth(CacheFormat format, std::int64_t width)
{
    const CacheFormatInfo& layout = info(format);
    if (format == CacheFormat::Fp8DsMla && width != layout.groupElements) {
        return failure(ErrorCode::Unsupported,
            fmt::format("fp8_ds_mla holds latent rows of 576 elements and this row has {}", width), "cache format",
            "use it with latent attention of rank 512 and rope width 64, or choose another format");
    }
    if (width % layout.groupElements != 0) {
        return failure(ErrorCode::Unsupported,
            fmt::format("{} packs {} elements together and a row of {} does not divide by that", layout.name,
                layout.groupElements, width),
            "cache format", "choose a format without groups, such as fp8, or another head width");
    }
    return {};
}

Bytes rowBytes(CacheFormat format, std::int64_t width)
{
    const CacheFormatInfo& layout = info(format);
    return Bytes(layout.groupBytes) * (width / layout.groupElements) + Bytes(layout.rowScaleBytes);
}

} // namespace kvplan
