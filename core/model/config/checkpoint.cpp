// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/checkpoint.h"

#include "core/model/config/module_patterns.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvplan {

using nlohmann::json;

namespace {

std::string lower(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::string textOf(const json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? lower(found->get<std::string>()) : std::string();
}

std::int64_t numberOf(const json& object, const char* key, std::int64_t fallback)
{
    const auto found = object.find(key);
    const bool usable = found != object.end() && found->is_number_integer() && found->get<std::int64_t>() > 0
        && found->get<std::int64_t>() <= mostWidth;
    return usable ? found->get<std::int64_t>() : fallback;
}

std::string plainFormat(ConfigFields& fields)
{
    const json* type = fields.findOuter({"torch_dtype", "dtype"});
    const std::string name = type != nullptr && type->is_string() ? lower(type->get<std::string>()) : "";
    if (name.ends_with("float32") || name == "fp32") {
        return "fp32";
    }
    return name.ends_with("float16") && !name.ends_with("bfloat16") ? "fp16" : "bf16";
}

/// A format by its name, and how it stores what it covers.
struct Scheme {
    std::string_view name;
    StoredGroup stored;
};

constexpr Scheme int8Scheme{"int8", {1, 1}};
constexpr Scheme nvfp4Scheme{"nvfp4", {16, 9}};
constexpr Scheme mxfp4Scheme{"mxfp4", {32, 17}};

/// A byte each, and 4 bytes of scale a block where there are blocks.
Scheme fp8Scheme(const json& scheme)
{
    const auto block = scheme.find("weight_block_size");
    std::int64_t parameters = block != scheme.end() && block->is_array() && block->size() == 2 ? 1 : 0;
    for (std::size_t i = 0; parameters > 0 && i < 2; ++i) {
        const json& side = (*block)[i];
        const bool usable = side.is_number_unsigned() && side.get<std::uint64_t>() <= 65536;
        parameters *= usable ? side.get<std::int64_t>() : 0;
    }
    return {"fp8", parameters > 0 ? StoredGroup{parameters, parameters + 4} : StoredGroup{1, 1}};
}

/// Integers of 4 bits with a 2-byte scale a group, and half a byte of zero point where they are not symmetric.
Scheme int4Scheme(std::int64_t group, bool zeroPoint)
{
    return {"int4", {2 * group, group + 4 + (zeroPoint ? 1 : 0)}};
}

/// compressed-tensors and modelopt: groups of weights with a type, bits and a group size. The first group counts.
std::optional<Scheme> schemeOfGroups(ConfigFields& fields, const json& scheme)
{
    const auto groups = scheme.find("config_groups");
    if (groups == scheme.end() || !groups->is_object() || groups->empty()) {
        return std::nullopt;
    }
    const json& group = *groups->begin();
    const json weights = group.is_object() ? group.value("weights", json::object()) : json();
    if (!weights.is_object()) {
        return std::nullopt;
    }
    if (groups->size() > 1) {
        fields.warn("quantization_config stores different modules in different formats: all count as the first");
    }
    const std::int64_t bits = numberOf(weights, "num_bits", 0);
    const std::int64_t size = numberOf(weights, "group_size", 128);
    const bool isFloat = textOf(weights, "type") == "float";
    if (bits == 8) {
        return isFloat ? fp8Scheme(scheme) : int8Scheme;
    }
    if (bits == 4 && isFloat) {
        return size == 16 ? nvfp4Scheme : mxfp4Scheme;
    }
    return bits == 4 ? std::optional(int4Scheme(size, weights.value("symmetric", json()) == json(false)))
                     : std::nullopt;
}

/// The scheme by its name.
std::optional<Scheme> schemeOfMethod(const json& scheme)
{
    const std::string method = textOf(scheme, "quant_method");
    const std::string algorithm = textOf(scheme, "quant_algo");
    const std::int64_t bits = numberOf(scheme, "bits", 4);
    const auto isSet = [&](const char* key) { return scheme.value(key, json()) == json(true); };
    if (algorithm.starts_with("nvfp4")) {
        return nvfp4Scheme;
    }
    if (method == "mxfp4") {
        return mxfp4Scheme;
    }
    if (method == "fp8" || method == "fbgemm_fp8" || algorithm.starts_with("fp8")) {
        return fp8Scheme(scheme);
    }
    if ((method == "awq" || method == "gptq") && bits == 4) {
        return int4Scheme(numberOf(scheme, "group_size", 128), true);
    }
    if ((method == "gptq" && bits == 8) || isSet("load_in_8bit")) {
        return int8Scheme;
    }
    return isSet("load_in_4bit") ? std::optional(int4Scheme(64, false)) : std::nullopt;
}

/// Modules the scheme leaves alone, under its different names.
std::vector<std::string> untouched(const json& scheme)
{
    std::vector<std::string> patterns;
    for (const char* key :
        {"modules_to_not_convert", "ignore", "exclude_modules", "ignored_layers", "llm_int8_skip_modules"}) {
        const auto list = scheme.find(key);
        if (list == scheme.end() || !list->is_array()) {
            continue;
        }
        for (const json& entry : *list) {
            if (entry.is_string()) {
                patterns.push_back(entry.get<std::string>());
            }
        }
    }
    return patterns;
}

std::optional<CacheFormat> cacheFormat(const json& scheme)
{
    const auto cache = scheme.find("kv_cache_scheme");
    const bool named = cache != scheme.end() && cache->is_object();
    if (named && numberOf(*cache, "num_bits", 0) == 8) {
        return textOf(*cache, "type") == "float" ? CacheFormat::Fp8 : CacheFormat::Int8;
    }
    const std::string algorithm = textOf(scheme, "kv_cache_quant_algo");
    if (algorithm == "fp8") {
        return CacheFormat::Fp8;
    }
    return algorithm == "nvfp4" ? std::optional(CacheFormat::Nvfp4) : std::nullopt;
}

} // namespace

CheckpointFormat checkpointFormat(ConfigFields& fields)
{
    CheckpointFormat format;
    format.plain = plainFormat(fields);
    const json* found = fields.findOuter({"quantization_config", "quantization", "compression_config"});
    if (found == nullptr || !found->is_object() || found->empty()) {
        return format;
    }
    const json& scheme = *found;
    format.cache = cacheFormat(scheme);
    auto stored = schemeOfGroups(fields, scheme);
    if (!stored) {
        stored = schemeOfMethod(scheme);
    }
    if (!stored) {
        const std::string name = textOf(scheme, "quant_method");
        fields.warn(
            fmt::format("quantization_config names a scheme this version does not know ({}): the weights count as {}",
                name.empty() ? "without a name" : name, format.plain));
        return format;
    }
    format.quantised = stored->name;
    const std::int64_t middle
        = fields.count({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, 1, mostLayers, 2) / 2;
    const std::vector<std::string> patterns = untouched(scheme);
    for (const WeightPart part : {WeightPart::Attention, WeightPart::Dense, WeightPart::Routed, WeightPart::Shared}) {
        const bool covered = std::ranges::none_of(
            patterns, [&](const std::string& pattern) { return namesPart(pattern, part, middle); });
        format.parts[static_cast<std::size_t>(part)] = covered ? std::optional(stored->stored) : std::nullopt;
    }
    // DeepSeek-V4 stores its experts in half the bits of the rest.
    if (format.quantised == "fp8" && fields.text({"expert_dtype"}).value_or("") == "fp4") {
        format.parts[static_cast<std::size_t>(WeightPart::Routed)] = mxfp4Scheme.stored;
    }
    return format;
}

Bytes checkpointBytes(const CheckpointFormat& format, const ParameterCount& count)
{
    const StoredGroup plain{1, format.plain == "fp32" ? 4 : 2};
    Bytes sum;
    for (std::size_t part = 0; part < weightParts; ++part) {
        const StoredGroup stored = format.parts[part].value_or(plain);
        sum += Bytes(ceilDivide(count.parts[part], stored.parameters)) * stored.bytes;
    }
    return sum;
}

} // namespace kvplan
