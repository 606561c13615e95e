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

void setGroup(CheckpointFormat& format, std::string name, std::int64_t parameters, std::int64_t bytes)
{
    format.quantised = std::move(name);
    format.groupParameters = parameters;
    format.groupBytes = bytes;
}

void setFp8(CheckpointFormat& format, const json& scheme)
{
    const auto block = scheme.find("weight_block_size");
    const bool blocks = block != scheme.end() && block->is_array() && block->size() == 2
        && (*block)[0].is_number_unsigned() && (*block)[1].is_number_unsigned()
        && (*block)[0].get<std::uint64_t>() - 1 < 65536 && (*block)[1].get<std::uint64_t>() - 1 < 65536;
    const std::int64_t parameters = blocks ? (*block)[0].get<std::int64_t>() * (*block)[1].get<std::int64_t>() : 1;
    setGroup(format, "fp8", parameters, parameters + (blocks ? 4 : 0));
}

/// Integers of 4 bits with a 2-byte scale a group, and half a byte of zero point where they are not symmetric.
void setInt4(CheckpointFormat& format, std::int64_t group, bool zeroPoint)
{
    setGroup(format, "int4", 2 * group, group + 4 + (zeroPoint ? 1 : 0));
}

/// compressed-tensors and modelopt: groups of weights with a type, bits and a group size.
bool setFromGroups(CheckpointFormat& format, const json& scheme)
{
    const auto groups = scheme.find("config_groups");
    if (groups == scheme.end() || !groups->is_object() || groups->empty()) {
        return false;
    }
    const json& group = *groups->begin();
    const json weights = group.is_object() ? group.value("weights", json::object()) : json();
    if (!weights.is_object()) {
        return false;
    }
    const std::int64_t bits = numberOf(weights, "num_bits", 0);
    const std::int64_t size = numberOf(weights, "group_size", 128);
    const bool isFloat = textOf(weights, "type") == "float";
    if (bits == 8) {
        isFloat ? setFp8(format, scheme) : setGroup(format, "int8", 1, 1);
    } else if (bits == 4 && isFloat) {
        size == 16 ? setGroup(format, "nvfp4", 16, 9) : setGroup(format, "mxfp4", 32, 17);
    } else if (bits == 4) {
        setInt4(format, size, weights.value("symmetric", json()) == json(false));
    } else {
        return false;
    }
    return true;
}

/// The scheme by its name.
bool setFromMethod(CheckpointFormat& format, const json& scheme)
{
    const std::string method = textOf(scheme, "quant_method");
    const std::string algorithm = textOf(scheme, "quant_algo");
    const std::int64_t bits = numberOf(scheme, "bits", 4);
    if (algorithm.starts_with("nvfp4")) {
        setGroup(format, "nvfp4", 16, 9);
    } else if (method == "mxfp4") {
        setGroup(format, "mxfp4", 32, 17);
    } else if (method == "fp8" || method == "fbgemm_fp8" || algorithm.starts_with("fp8")) {
        setFp8(format, scheme);
    } else if ((method == "awq" || method == "gptq") && bits == 4) {
        setInt4(format, numberOf(scheme, "group_size", 128), true);
    } else if ((method == "gptq" && bits == 8) || scheme.value("load_in_8bit", json()) == json(true)) {
        setGroup(format, "int8", 1, 1);
    } else if (scheme.value("load_in_4bit", json()) == json(true)) {
        setInt4(format, 64, false);
    } else {
        return false;
    }
    return true;
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
    if (!setFromGroups(format, scheme) && !setFromMethod(format, scheme)) {
        const std::string name = textOf(scheme, "quant_method");
        fields.warn(
            fmt::format("quantization_config names a scheme this version does not know ({}): the weights count as {}",
                name.empty() ? "without a name" : name, format.plain));
        return format;
    }
    if (fields.text({"expert_dtype"}).value_or("") == "fp4") {
        fields.warn("the experts are stored in 4 bits and the rest in 8: all of it counts as 8");
    }
    const std::int64_t middle
        = fields.count({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, 1, mostLayers, 2) / 2;
    const std::vector<std::string> patterns = untouched(scheme);
    for (const WeightPart part : {WeightPart::Attention, WeightPart::Dense, WeightPart::Routed, WeightPart::Shared}) {
        format.covers[static_cast<std::size_t>(part)] = std::ranges::none_of(
            patterns, [&](const std::string& pattern) { return namesPart(pattern, part, middle); });
    }
    return format;
}

Bytes checkpointBytes(const CheckpointFormat& format, const ParameterCount& count)
{
    const std::int64_t plainBytes = format.plain == "fp32" ? 4 : 2;
    Bytes sum;
    for (std::size_t part = 0; part < weightParts; ++part) {
        const std::int64_t parameters = count.parts[part];
        sum += !format.quantised.empty() && format.covers[part]
            ? Bytes(ceilDivide(parameters, format.groupParameters)) * format.groupBytes
            : Bytes(parameters) * plainBytes;
    }
    return sum;
}

} // namespace kvplan
