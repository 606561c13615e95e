// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/expert_layers.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

namespace kvplan {

using nlohmann::json;

namespace {

using IsExpert = std::function<bool(std::int64_t layer)>;

std::optional<IsExpert> byList(ConfigFields& fields)
{
    if (const json* words = fields.find({"mlp_layer_types"}); words != nullptr && words->is_array()) {
        const json list = *words;
        return [list](std::int64_t layer) {
            const auto i = static_cast<std::size_t>(layer);
            return i < list.size() && list[i] == json("sparse");
        };
    }
    if (const json* frequency = fields.find({"moe_layer_freq"}); frequency != nullptr && frequency->is_array()) {
        const auto list = fields.counts({"moe_layer_freq"}, 0, 1);
        return [list](std::int64_t layer) {
            const auto i = static_cast<std::size_t>(layer);
            return i < list.size() && list[i] == 1;
        };
    }
    if (const auto text = fields.find({"moe_layers_enum"}); text != nullptr && text->is_string()) {
        // "3,4,5": the layers with experts.
        const auto numbers = text->get<std::string>();
        std::vector<std::int64_t> layers;
        for (const char* at = numbers.data(); at < numbers.data() + numbers.size();) {
            std::int64_t layer = 0;
            const auto [next, error] = std::from_chars(at, numbers.data() + numbers.size(), layer);
            if (error == std::errc{}) {
                layers.push_back(layer);
            }
            at = std::max(next, at) + 1;
        }
        return [layers](std::int64_t layer) { return std::ranges::count(layers, layer) > 0; };
    }
    return std::nullopt;
}

std::optional<IsExpert> byPeriod(ConfigFields& fields)
{
    if (const auto period = fields.count({"expert_layer_period"}, 1, mostLayers)) {
        const std::int64_t offset = fields.count({"expert_layer_offset"}, 0, mostLayers, 0);
        return [=](std::int64_t layer) { return layer % *period == offset % *period; };
    }
    if (const auto step = fields.count({"interleave_moe_layer_step"}, 1, mostLayers)) {
        return [=](std::int64_t layer) { return (layer + 1) % *step == 0; };
    }
    if (const auto step = fields.count({"decoder_sparse_step"}, 1, mostLayers)) {
        const auto dense = fields.counts({"mlp_only_layers"}, 0, mostLayers);
        return [=](std::int64_t layer) { return (layer + 1) % *step == 0 && std::ranges::count(dense, layer) == 0; };
    }
    return std::nullopt;
}

IsExpert expertRule(ConfigFields& fields)
{
    if (auto rule = byList(fields)) {
        return *rule;
    }
    if (auto rule = byPeriod(fields)) {
        return *rule;
    }
    const std::int64_t first = fields.count(
        {"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index", "moe.first_k_dense_replace"}, 0,
        mostLayers, 0);
    const std::int64_t period = fields.count({"moe_layer_freq", "moe_layer_interval"}, 1, mostLayers, 1);
    return [=](std::int64_t layer) { return layer >= first && layer % period == 0; };
}

/// Feed-forward layers that stand by themselves, one letter or word a layer.
std::optional<std::vector<FeedForward>> ownLayers(ConfigFields& fields, const std::vector<LayerRole>& roles)
{
    std::vector<FeedForward> result(roles.size(), FeedForward::None);
    if (const auto pattern = fields.text({"hybrid_override_pattern"})) {
        for (std::size_t i = 0; i < std::min(roles.size(), pattern->size()); ++i) {
            const char letter = (*pattern)[i];
            result[i] = letter == '-' ? FeedForward::Dense : letter == 'E' ? FeedForward::Experts : FeedForward::None;
        }
        return result;
    }
    const json* words = fields.find({"layers_block_type"});
    if (words != nullptr && std::ranges::count(roles, LayerRole::None) > 0) {
        for (std::size_t i = 0; i < std::min(roles.size(), words->size()); ++i) {
            const json& word = (*words)[i];
            result[i] = word == json("mlp") ? FeedForward::Dense
                : word == json("moe")       ? FeedForward::Experts
                                            : FeedForward::None;
        }
        return result;
    }
    return std::nullopt;
}

} // namespace

std::int64_t routedExperts(ConfigFields& fields)
{
    const Keys keys{"n_routed_experts", "num_local_experts", "num_experts", "moe_num_experts",
        "ffn_config.moe_num_experts", "num_routed_experts", "moe.num_experts"};
    if (const json* value = fields.find(keys); value != nullptr && value->is_array()) {
        return 0;
    }
    return fields.count(keys, 0, mostWidth, 0);
}

std::vector<FeedForward> feedForwards(ConfigFields& fields, const std::vector<LayerRole>& roles)
{
    if (auto own = ownLayers(fields, roles)) {
        return *own;
    }
    if (fields.isFamily({"mamba", "mamba2", "falcon_mamba"})) {
        return std::vector<FeedForward>(roles.size(), FeedForward::None);
    }
    std::vector<FeedForward> result(roles.size(), FeedForward::Dense);
    if (routedExperts(fields) > 0) {
        const IsExpert isExpert = expertRule(fields);
        for (std::size_t i = 0; i < result.size(); ++i) {
            result[i] = isExpert(static_cast<std::int64_t>(i)) ? FeedForward::Experts : FeedForward::Dense;
        }
    }
    return result;
}

} // namespace kvplan
