// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/attention_heads.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvplan {

using nlohmann::json;

namespace {

std::int64_t queryHeads(ConfigFields& fields)
{
    if (const json* list = fields.find({"num_query_heads"}); list != nullptr && list->is_array()) {
        const auto numbers = fields.counts({"num_query_heads"}, 1, mostHeads);
        return numbers.empty() ? 1 : std::ranges::max(numbers);
    }
    return fields.required({"num_attention_heads", "n_head", "n_heads", "num_heads"}, 1, mostHeads);
}

std::int64_t kvHeads(ConfigFields& fields, std::int64_t heads)
{
    const bool newFalcon = fields.flag({"new_decoder_architecture"}).value_or(false);
    if (!newFalcon && fields.flag({"multi_query"}).value_or(false)) {
        return 1;
    }
    if (const auto grouped = fields.flag({"multi_query_attention"})) {
        return *grouped ? fields.count({"multi_query_group_num"}, 1, mostHeads, 1) : heads;
    }
    if (const json* type = fields.find({"attn_config.attn_type"});
        type != nullptr && *type == json("multiquery_attention")) {
        return 1;
    }
    return fields.count({"num_key_value_heads", "n_head_kv", "num_kv_heads", "attn_config.kv_n_heads", "n_kv_heads",
                            "num_attention_groups", "num_query_groups"},
        1, mostHeads, heads);
}

/// KV heads one a layer: a list under one of its spellings, or query heads / group from architecture search.
std::vector<std::int64_t> kvHeadsOfLayers(ConfigFields& fields, std::int64_t heads)
{
    for (const std::string_view key : {"num_key_value_heads_per_layer", "num_kv_heads", "num_key_value_heads"}) {
        if (const json* list = fields.find({key}); list != nullptr && list->is_array()) {
            return fields.counts({key}, 1, mostHeads);
        }
    }
    std::vector<std::int64_t> result;
    if (const json* blocks = fields.find({"block_configs"}); blocks != nullptr && blocks->is_array()) {
        for (const json& block : *blocks) {
            const json group
                = block.is_object() ? block.value(json::json_pointer("/attention/n_heads_in_group"), json()) : json();
            const bool valid
                = group.is_number_integer() && group.get<std::int64_t>() > 0 && heads % group.get<std::int64_t>() == 0;
            if (!valid && !group.is_null()) {
                fields.fail(ErrorCode::InvalidValue, "block_configs",
                    "n_heads_in_group is not a whole number that divides the query heads");
                return {};
            }
            result.push_back(valid ? heads / group.get<std::int64_t>() : heads);
        }
    }
    return result;
}

void checkDivides(ConfigFields& fields, std::int64_t heads, std::int64_t kvHeads, std::string_view key)
{
    if (kvHeads < 1 || heads % kvHeads != 0) {
        fields.fail(
            ErrorCode::Inconsistent, key, fmt::format("{} KV heads do not divide {} query heads", kvHeads, heads));
    }
}

} // namespace

std::int64_t hiddenSize(ConfigFields& fields)
{
    return fields.required({"hidden_size", "n_embd", "d_model", "n_embed", "model_dim", "dim"}, 1, mostWidth);
}

AttentionHeads attentionHeads(ConfigFields& fields)
{
    AttentionHeads result;
    HeadShape& full = result.full;
    full.queryHeads = queryHeads(fields);
    result.kvHeadsOfLayer = kvHeadsOfLayers(fields, full.queryHeads);
    full.kvHeads = result.kvHeadsOfLayer.empty() ? kvHeads(fields, full.queryHeads) : result.kvHeadsOfLayer.front();

    const std::int64_t hidden = hiddenSize(fields);
    const auto width = fields.count({"head_dim", "attention_head_dim", "kv_channels", "d_head", "d_kv"}, 1, mostWidth);
    if (!width && hidden % full.queryHeads != 0) {
        fields.fail(ErrorCode::Inconsistent, "head_dim",
            fmt::format(
                "head_dim is missing and {} query heads do not divide hidden_size {}", full.queryHeads, hidden));
    }
    full.keyDim = width.value_or(hidden / full.queryHeads);
    const std::int64_t valueWidth = fields.count({"v_head_dim"}, 0, mostWidth, 0);
    full.valueDim = valueWidth > 0 ? valueWidth : full.keyDim;

    HeadShape& sliding = result.sliding;
    sliding.queryHeads = fields.count(
        {"swa_num_attention_heads", "attention_other_setting.num_attention_heads"}, 1, mostHeads, full.queryHeads);
    sliding.kvHeads = fields.count(
        {"swa_num_key_value_heads", "attention_other_setting.num_attention_groups"}, 1, mostHeads, full.kvHeads);
    const auto slidingWidth = fields.count({"swa_head_dim", "attention_other_setting.head_dim"}, 1, mostWidth);
    sliding.keyDim = slidingWidth.value_or(full.keyDim);
    sliding.valueDim = fields.count({"swa_v_head_dim"}, 1, mostWidth, slidingWidth.value_or(full.valueDim));

    // Gemma 4: the global layers are the ones with a shape of their own.
    if (const auto global = fields.count({"global_head_dim"}, 1, mostWidth)) {
        full.keyDim = *global;
        full.valueDim = *global;
    }
    if (fields.flag({"attention_k_eq_v"}).value_or(false)) {
        full.kvHeads = fields.count({"num_global_key_value_heads"}, 1, mostHeads, full.kvHeads);
    }
    if (result.kvHeadsOfLayer.empty()) {
        checkDivides(fields, full.queryHeads, full.kvHeads, "num_key_value_heads");
    }
    if (sliding.kvHeads != full.kvHeads || sliding.queryHeads != full.queryHeads) {
        checkDivides(fields, sliding.queryHeads, sliding.kvHeads, "swa_num_key_value_heads");
    }
    return result;
}

} // namespace kvplan
