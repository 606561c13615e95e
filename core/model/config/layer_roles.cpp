// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/layer_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace kvplan {

using nlohmann::json;

namespace {

using Roles = std::vector<LayerRole>;

struct Word {
    std::string_view word;
    LayerRole role;
};

constexpr std::array words{
    Word{"full_attention", LayerRole::Full},
    Word{"attention", LayerRole::Full},
    Word{"attn", LayerRole::Full},
    Word{"full", LayerRole::Full},
    Word{"global", LayerRole::Full},
    Word{"global_attention", LayerRole::Full},
    Word{"deepseek_sparse_attention", LayerRole::Full},
    Word{"sliding_attention", LayerRole::Sliding},
    Word{"sliding", LayerRole::Sliding},
    Word{"local", LayerRole::Sliding},
    Word{"local_attention", LayerRole::Sliding},
    Word{"chunked_attention", LayerRole::Chunked},
    Word{"compressed_sparse_attention", LayerRole::Compressed},
    Word{"heavily_compressed_attention", LayerRole::Compressed},
    Word{"linear_attention", LayerRole::Recurrent},
    Word{"lightning_attention", LayerRole::Recurrent},
    Word{"mamba", LayerRole::Recurrent},
    Word{"mamba2", LayerRole::Recurrent},
    Word{"conv", LayerRole::Recurrent},
    Word{"short_conv", LayerRole::Recurrent},
    Word{"recurrent", LayerRole::Recurrent},
    Word{"kda", LayerRole::Recurrent},
    Word{"hybrid", LayerRole::FullAndRecurrent},
    Word{"cross_attention", LayerRole::Cross},
    Word{"mlp", LayerRole::None},
    Word{"moe", LayerRole::None},
};

struct Letter {
    char letter;
    LayerRole role;
};

constexpr std::array hybridLetters{
    Letter{'M', LayerRole::Recurrent},
    Letter{'*', LayerRole::Full},
    Letter{'-', LayerRole::None},
    Letter{'E', LayerRole::None},
};

constexpr std::array windowLetters{
    Letter{'L', LayerRole::Sliding},
    Letter{'S', LayerRole::Sliding},
    Letter{'G', LayerRole::Full},
    Letter{'F', LayerRole::Full},
};

template <std::size_t Size>
Roles spell(
    ConfigFields& fields, std::string_view key, std::string_view pattern, const std::array<Letter, Size>& letters)
{
    Roles roles;
    for (const char c : pattern) {
        const auto letter = std::ranges::find(letters, c, &Letter::letter);
        if (letter == letters.end()) {
            fields.fail(ErrorCode::Unsupported, key, fmt::format("{} has a letter '{}' that is not known", key, c));
            return {};
        }
        roles.push_back(letter->role);
    }
    return roles;
}

template <class RoleOf> Roles perLayer(std::int64_t layers, RoleOf roleOf)
{
    Roles roles;
    roles.reserve(static_cast<std::size_t>(layers));
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        roles.push_back(roleOf(layer));
    }
    return roles;
}

/// `pattern` over and over, up to the number of layers.
Roles repeated(const Roles& pattern, std::int64_t layers)
{
    const auto period = static_cast<std::int64_t>(pattern.size());
    return perLayer(layers, [&](std::int64_t layer) { return pattern[static_cast<std::size_t>(layer % period)]; });
}

// The rules. Each looks for its own keys and has nothing to say where they are absent. `layers` is 0 where the file
// does not count them.

std::optional<Roles> byWords(ConfigFields& fields, std::int64_t layers)
{
    for (const std::string_view key : {"layer_types", "layers_block_type", "block_types", "_block_types"}) {
        const json* list = fields.find({key});
        if (list == nullptr) {
            continue;
        }
        if (!list->is_array() || list->empty()) {
            fields.fail(ErrorCode::InvalidValue, key, fmt::format("{} is not a list of layer kinds", key));
            return Roles{};
        }
        Roles roles;
        for (const json& entry : *list) {
            const std::string word = entry.is_string() ? entry.get<std::string>() : std::string();
            const auto found = std::ranges::find(words, word, &Word::word);
            if (found == words.end()) {
                fields.fail(ErrorCode::Unsupported, key,
                    fmt::format("{} names {}, a kind of layer that is not known", key,
                        entry.dump(-1, ' ', false, json::error_handler_t::replace)));
                return Roles{};
            }
            roles.push_back(found->role);
        }
        return key.ends_with("block_types") ? repeated(roles, layers) : roles;
    }
    return std::nullopt;
}

std::optional<Roles> byCompressRatios(ConfigFields& fields, std::int64_t layers)
{
    if (!fields.has({"compress_ratios"})) {
        return std::nullopt;
    }
    return perLayer(layers, [](std::int64_t) { return LayerRole::Compressed; });
}

std::optional<Roles> byPatternString(ConfigFields& fields, std::int64_t)
{
    constexpr std::string_view key = "hybrid_override_pattern";
    const auto pattern = fields.text({key});
    return pattern ? std::optional(spell(fields, key, *pattern, hybridLetters)) : std::nullopt;
}

/// Lists of 0 and 1, one a layer: what each of them means.
std::optional<Roles> byNumbers(ConfigFields& fields, std::int64_t)
{
    struct Numbers {
        std::string_view key;
        LayerRole zero;
        LayerRole one;
    };
    for (const Numbers& rule : {Numbers{"hybrid_layer_pattern", LayerRole::Full, LayerRole::Sliding},
             Numbers{"attn_type_list", LayerRole::Recurrent, LayerRole::Full}}) {
        const auto numbers = fields.counts({rule.key}, 0, 1);
        if (!numbers.empty()) {
            Roles roles;
            for (const std::int64_t number : numbers) {
                roles.push_back(number == 1 ? rule.one : rule.zero);
            }
            return roles;
        }
    }
    return std::nullopt;
}

/// Layers that are chosen by their numbers, all others having the other role.
std::optional<Roles> byLayerNumbers(ConfigFields& fields, std::int64_t layers)
{
    struct Chosen {
        std::string_view key;
        LayerRole chosen;
        LayerRole other;
    };
    for (const Chosen& rule : {Chosen{"linear_attn_config.full_attn_layers", LayerRole::Full, LayerRole::Recurrent},
             Chosen{"attn_layer_indices", LayerRole::Full, LayerRole::Recurrent},
             Chosen{"full_attn_idxs", LayerRole::Full, LayerRole::Recurrent},
             Chosen{"cross_attention_layers", LayerRole::Cross, LayerRole::Full}}) {
        const auto numbers = fields.counts({rule.key}, 0, mostLayers);
        if (numbers.empty()) {
            continue;
        }
        // Kimi's lists count from 1: its other list, or a number that no layer has, tells.
        const auto others = fields.counts({"linear_attn_config.kda_layers"}, 0, mostLayers);
        const bool namesZero = std::ranges::count(numbers, 0) + std::ranges::count(others, 0) > 0;
        const std::int64_t first = rule.key.starts_with("linear_attn_config") && !namesZero ? 1 : 0;
        Roles roles(static_cast<std::size_t>(layers), rule.other);
        for (const std::int64_t number : numbers) {
            if (number - first >= layers) {
                fields.fail(ErrorCode::Inconsistent, rule.key,
                    fmt::format("{} names layer {} and there are {} layers", rule.key, number, layers));
                return Roles{};
            }
            roles[static_cast<std::size_t>(number - first)] = rule.chosen;
        }
        return roles;
    }
    return std::nullopt;
}

/// One full-attention layer in so many, counted from an offset.
std::optional<Roles> byInterval(ConfigFields& fields, std::int64_t layers)
{
    const auto every = [&](std::int64_t period, std::int64_t offset, LayerRole other) {
        return perLayer(layers, [=](std::int64_t layer) { return layer % period == offset ? LayerRole::Full : other; });
    };
    if (const auto interval = fields.count({"full_attention_interval", "layer_group_size"}, 1, mostLayers)) {
        return every(*interval, *interval - 1, LayerRole::Recurrent);
    }
    if (const auto period = fields.count({"attn_layer_period"}, 1, mostLayers)) {
        return every(*period, fields.count({"attn_layer_offset"}, 0, *period - 1, 0), LayerRole::Recurrent);
    }
    return std::nullopt;
}

/// Attention that architecture search left out of some layers, or cut to a window.
std::optional<Roles> byBlockConfigs(ConfigFields& fields, std::int64_t)
{
    const json* blocks = fields.find({"block_configs"});
    if (blocks == nullptr) {
        return std::nullopt;
    }
    Roles roles;
    for (const json& block : *blocks) {
        const auto attention = block.is_object() ? block.find("attention") : block.end();
        if (!block.is_object() || attention == block.end() || !attention->is_object()) {
            fields.fail(ErrorCode::InvalidValue, "block_configs", "block_configs has an entry without attention");
            return Roles{};
        }
        const auto is = [&](const char* key) {
            const auto value = attention->find(key);
            return value != attention->end() && !value->is_null() && *value != json(false);
        };
        if (is("window_length") || is("mamba") || is("llama4")) {
            fields.fail(ErrorCode::Unsupported, "block_configs",
                "block_configs gives a layer a window, which this version does not read");
            return Roles{};
        }
        roles.push_back(is("no_op") || is("replace_with_linear") ? LayerRole::None : LayerRole::Full);
    }
    return roles;
}

std::optional<Roles> byModelType(ConfigFields& fields, std::int64_t layers)
{
    const auto all = [&](LayerRole role) { return Roles(static_cast<std::size_t>(layers), role); };
    if (fields.isFamily({"mamba", "mamba2", "falcon_mamba", "rwkv", "rwkv5", "rwkv6", "rwkv7"})) {
        return all(LayerRole::Recurrent);
    }
    if (fields.isFamily({"falcon_h1"})) {
        return all(LayerRole::FullAndRecurrent);
    }
    return std::nullopt;
}

/// Llama 4: layers without rotary positions attend to everything, the others within a chunk.
std::optional<Roles> byChunks(ConfigFields& fields, std::int64_t layers)
{
    if (!fields.isFamily({"llama4"}) || !fields.has({"attention_chunk_size"})) {
        return std::nullopt;
    }
    const auto rotary = fields.counts({"no_rope_layers"}, 0, 1);
    if (!rotary.empty()) {
        Roles roles;
        for (const std::int64_t value : rotary) {
            roles.push_back(value == 0 ? LayerRole::Full : LayerRole::Chunked);
        }
        return roles;
    }
    const std::int64_t interval = fields.count({"no_rope_layer_interval"}, 1, mostLayers, 4);
    return perLayer(
        layers, [=](std::int64_t layer) { return (layer + 1) % interval == 0 ? LayerRole::Full : LayerRole::Chunked; });
}

/// GPT-Neo: [[["global", "local"], 12]].
std::optional<Roles> byAttentionTypes(ConfigFields& fields, std::int64_t)
{
    const json* types = fields.find({"attention_types"});
    if (types == nullptr) {
        return std::nullopt;
    }
    Roles roles;
    for (const json& run : *types) {
        const bool valid = run.is_array() && run.size() == 2 && run[0].is_array() && run[1].is_number_unsigned()
            && run[1].get<std::uint64_t>() <= static_cast<std::uint64_t>(mostLayers);
        for (std::uint64_t i = 0; valid && i < run[1].get<std::uint64_t>(); ++i) {
            for (const json& word : run[0]) {
                roles.push_back(word == json("local") ? LayerRole::Sliding : LayerRole::Full);
            }
        }
        if (!valid || roles.size() > static_cast<std::size_t>(mostLayers)) {
            fields.fail(ErrorCode::InvalidValue, "attention_types", "attention_types is not a list of [kinds, times]");
            return Roles{};
        }
    }
    return roles;
}

/// Windows: a list of them, a pattern of letters, one full layer in n, the upper layers only, or every layer.
std::optional<Roles> byWindow(ConfigFields& fields, std::int64_t layers)
{
    const json* windows = fields.find({"sliding_window"});
    if (windows != nullptr && windows->is_array()) {
        fields.fail(ErrorCode::Unsupported, "sliding_window",
            "sliding_window is a list, one window a layer, which this version does not read");
        return Roles{};
    }
    if (activeWindow(fields) == 0) {
        return std::nullopt;
    }
    const json* pattern
        = fields.find({"sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers"});
    if (pattern != nullptr && pattern->is_string()) {
        const Roles letters = spell(fields, "sliding_window_pattern", pattern->get<std::string>(), windowLetters);
        return letters.empty() ? letters : repeated(letters, layers);
    }
    if (pattern != nullptr) {
        const auto period = fields.count(
            {"sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers"}, 1, mostLayers, 1);
        return perLayer(layers,
            [=](std::int64_t layer) { return (layer + 1) % period == 0 ? LayerRole::Full : LayerRole::Sliding; });
    }
    if (fields.flag({"use_sliding_window"}).value_or(false)) {
        const std::int64_t below = fields.count({"max_window_layers"}, 0, mostLayers, 0);
        return perLayer(
            layers, [=](std::int64_t layer) { return layer < below ? LayerRole::Full : LayerRole::Sliding; });
    }
    return Roles(static_cast<std::size_t>(layers), LayerRole::Sliding);
}

using Rule = std::optional<Roles> (*)(ConfigFields&, std::int64_t);
constexpr std::array<Rule, 11> rules{byCompressRatios, byWords, byPatternString, byNumbers, byLayerNumbers,
    byBlockConfigs, byModelType, byInterval, byChunks, byAttentionTypes, byWindow};

/// Layers of the file itself; a list may go on with the draft layers that predict further tokens.
void checkLength(ConfigFields& fields, Roles& roles, std::int64_t layers)
{
    const auto listed = static_cast<std::int64_t>(roles.size());
    const std::int64_t drafts
        = fields.count({"num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers"}, 0, mostLayers, 0);
    if (listed < layers || listed > layers + drafts) {
        fields.fail(ErrorCode::Inconsistent, "num_hidden_layers",
            fmt::format("num_hidden_layers is {} and the list of layer kinds has {}", layers, listed));
        return;
    }
    roles.resize(static_cast<std::size_t>(layers));
}

constexpr std::array<std::string_view, 9> recurrentKeys{"mamba_d_state", "ssm_state_size", "mamba_expand", "ssm_cfg",
    "linear_num_value_heads", "lru_width", "conv_L_cache", "linear_attn_config", "mamba_step"};

} // namespace

std::vector<LayerRole> layerRoles(ConfigFields& fields)
{
    const std::int64_t layers
        = fields.count({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, 1, mostLayers, 0);
    const bool listed = fields.has({"layer_types"}) || fields.has({"layers_block_type"})
        || fields.has({"hybrid_override_pattern"}) || fields.has({"block_configs"});
    if (fields.error() || (layers == 0 && !listed)) {
        fields.fail(ErrorCode::Syntax, "num_hidden_layers", "num_hidden_layers is missing");
        return {};
    }
    for (const Rule rule : rules) {
        if (auto roles = rule(fields, layers)) {
            if (roles->empty() || roles->size() > static_cast<std::size_t>(2 * mostLayers)) {
                fields.fail(
                    ErrorCode::InvalidValue, "num_hidden_layers", "the list of layer kinds is empty or endless");
            } else if (layers > 0) {
                checkLength(fields, *roles, layers);
            }
            return fields.error() ? Roles{} : *roles;
        }
    }
    for (const std::string_view key : recurrentKeys) {
        if (fields.has({key})) {
            fields.fail(ErrorCode::Unsupported, key,
                fmt::format("{} is given and no key says which layers are recurrent", key));
            return {};
        }
    }
    return Roles(static_cast<std::size_t>(layers), LayerRole::Full);
}

} // namespace kvplan
