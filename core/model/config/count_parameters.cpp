// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/count_parameters.h"

#include "core/model/config/class_defaults.h"
#include "core/model/config/expert_layers.h"
#include "core/units.h"

#include <fmt/format.h>

#include <cmath>

namespace kvplan {

using nlohmann::json;

namespace {

/// Widths of the feed-forward parts; 0 where the model has none of the kind.
struct Widths {
    std::int64_t dense = 0;
    std::int64_t expert = 0;
    std::int64_t shared = 0; ///< all shared experts together
    std::int64_t experts = 0;
    std::int64_t active = 0;
    std::int64_t latent = 0; ///< width experts work in, where it is not the hidden size
    bool gated = true;
    bool denseBesideExperts = false; ///< Gemma 4 runs both
};

std::int64_t denseWidth(ConfigFields& fields, std::int64_t hidden)
{
    const auto given = fields.count(
        {"dense_intermediate_size", "intermediate_size_mlp", "intermediate_size", "ffn_hidden_size", "n_inner",
            "ffn_dim", "ff_intermediate_size", "block_ff_dim", "hidden_dim", "ffn_config.ffn_hidden_size"},
        0, mostWidth);
    const std::int64_t ratio = fields.count({"expansion_ratio"}, 1, 64, 4);
    return given ? *given / familyTraits(fields.modelType()).mlpDivisor : hidden * ratio;
}

/// LFM2 rounds two thirds of its feed-forward width up.
std::int64_t adjustedWidth(ConfigFields& fields, std::int64_t width)
{
    if (!fields.flag({"block_auto_adjust_ff_dim"}).value_or(false)) {
        return width;
    }
    const std::int64_t multiple = fields.count({"block_multiple_of"}, 1, mostWidth, 256);
    return ceilDivide(2 * width / 3, multiple) * multiple;
}

std::int64_t sharedWidth(ConfigFields& fields, std::int64_t expertWidth)
{
    const std::int64_t copies
        = fields.count({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "moe.num_shared_experts"},
            0, mostHeads, fields.isFamily({"llama4"}) ? 1 : 0);
    if (const auto whole = fields.count(
            {"shared_expert_intermediate_size", "shared_intermediate_size", "share_expert_dim"}, 0, mostWidth)) {
        return *whole;
    }
    return copies * fields.count({"moe_shared_expert_intermediate_size"}, 0, mostWidth, expertWidth);
}

Widths widthsOf(ConfigFields& fields, std::int64_t hidden)
{
    Widths widths;
    widths.gated = familyTraits(fields.modelType()).gatedMlp;
    widths.dense = adjustedWidth(fields, denseWidth(fields, hidden));
    widths.experts = routedExperts(fields);
    if (widths.experts == 0) {
        // Granite's hybrids keep their only feed-forward part under the shared expert's name.
        if (fields.isFamily({"granitemoehybrid"})) {
            widths.dense = fields.count({"shared_intermediate_size"}, 0, mostWidth, widths.dense);
        }
        return widths;
    }
    widths.active = fields.count(
        {"num_experts_per_tok", "num_experts_per_token", "moe_top_k", "moe_k", "top_k_experts", "num_selected_experts",
            "experts_per_token", "ffn_config.moe_top_k", "moe_topk", "moe.num_experts_per_tok"},
        1, widths.experts, 1);
    widths.expert = fields.count({"moe_intermediate_size", "ffn_config.ffn_hidden_size", "moe.expert_hidden_dim",
                                     "intermediate_size", "hidden_dim"},
        1, mostWidth, widths.dense);
    widths.shared = sharedWidth(fields, widths.expert);
    widths.latent = fields.count({"moe_latent_size", "routed_expert_hidden_size"}, 1, mostWidth, 0);
    widths.denseBesideExperts = fields.flag({"enable_moe_block"}).value_or(false);
    return widths;
}

void addExperts(ParameterCount& count, const Widths& widths, std::int64_t hidden)
{
    const std::int64_t inside = widths.latent > 0 ? widths.latent : hidden;
    const std::int64_t one = feedForwardParameters(inside, widths.expert, widths.gated);
    count.add(WeightPart::Routed, checkedMultiply(one, widths.experts));
    count.routedActive = checkedAdd(count.routedActive, checkedMultiply(one, widths.active));
    count.add(WeightPart::Shared, feedForwardParameters(hidden, widths.shared, widths.gated));
    count.add(WeightPart::Small, checkedMultiply(hidden, widths.experts));
    if (widths.latent > 0) {
        count.add(WeightPart::Shared, 2 * checkedMultiply(hidden, widths.latent));
    }
    if (widths.denseBesideExperts) {
        count.add(WeightPart::Dense, feedForwardParameters(hidden, widths.dense, widths.gated));
    }
}

/// Architecture search gives each layer a feed-forward width of its own: ⌈2/3 · mult · 4 · hidden⌉ to a multiple of
/// 256.
std::optional<std::int64_t> blockWidth(const json& block, std::int64_t hidden)
{
    const json ffn = block.is_object() ? block.value("ffn", json()) : json();
    if (!ffn.is_object() || ffn.value("no_op", json()) == json(true)) {
        return 0;
    }
    if (const json given = ffn.value("intermediate_size", json()); given.is_number_integer()) {
        return given.get<std::int64_t>();
    }
    const json multiple = ffn.value("ffn_mult", json());
    if (!multiple.is_number() || !(multiple.get<double>() > 0 && multiple.get<double>() < 1000)) {
        return std::nullopt;
    }
    const auto width = static_cast<std::int64_t>(2 * multiple.get<double>() * static_cast<double>(hidden) / 3);
    return ceilDivide(width, 256) * 256;
}

bool addBlockFeedForwards(ConfigFields& fields, ParameterCount& count, std::int64_t hidden)
{
    const json* blocks = fields.find({"block_configs"});
    for (const json& block : *blocks) {
        const auto width = blockWidth(block, hidden);
        if (!width || *width < 0 || *width > mostWidth) {
            return false;
        }
        count.add(WeightPart::Dense, feedForwardParameters(hidden, *width, true));
    }
    return true;
}

std::int64_t latentLayer(ConfigFields& fields, const LayerShapes& shapes, bool indexer)
{
    LatentShape latent;
    latent.hidden = shapes.hidden;
    latent.queryHeads = shapes.heads.full.queryHeads;
    latent.queryRank = fields.count({"q_lora_rank"}, 1, mostWidth, 0);
    latent.rank = shapes.latent->rank;
    latent.ropeDim = shapes.latent->ropeDim;
    latent.nopeDim = fields.count({"qk_nope_head_dim"}, 0, mostWidth, 128);
    latent.valueDim = fields.count({"v_head_dim"}, 1, mostWidth, shapes.hidden / latent.queryHeads);
    if (indexer) {
        latent.indexerHeads = fields.count({"index_n_heads"}, 1, mostHeads, 64);
        latent.indexerDim = shapes.indexerDim;
    }
    return latentParameters(latent);
}

/// DeepSeek-V4 without its compressors: queries through a rank, one entry a token, an output in groups through a rank.
std::int64_t compressedLayer(ConfigFields& fields, const LayerShapes& shapes)
{
    const std::int64_t entry = fields.required({"head_dim"}, 1, mostWidth);
    const std::int64_t inner = checkedMultiply(shapes.heads.full.queryHeads, entry);
    const std::int64_t queryRank = fields.count({"q_lora_rank"}, 1, mostWidth, shapes.hidden);
    const std::int64_t outputRank = fields.count({"o_lora_rank"}, 1, mostWidth, shapes.hidden);
    const std::int64_t groups = fields.count({"o_groups"}, 1, mostHeads, 1);
    const std::int64_t query = checkedMultiply(queryRank, checkedAdd(shapes.hidden, inner));
    const std::int64_t output = checkedMultiply(outputRank, checkedAdd(inner, checkedMultiply(groups, shapes.hidden)));
    return checkedAdd(checkedAdd(query, output), checkedMultiply(shapes.hidden, entry));
}

/// Parameters of what mixes tokens in one layer; empty where they are not known.
std::optional<std::int64_t> mixerParameters(ConfigFields& fields, const LayerShapes& shapes, std::size_t layer)
{
    const bool sliding = shapes.roles[layer] == LayerRole::Sliding;
    const auto projections = [&] {
        if (shapes.latent) {
            return latentLayer(fields, shapes, shapes.indexerDim > 0 && shapes.hasIndexer[layer]);
        }
        const HeadShape& heads = shapes.heads.of(sliding);
        const auto& listed = shapes.heads.kvHeadsOfLayer;
        const bool gated = fields.flag({"attn_output_gate"}).value_or(fields.isFamily({"qwen3_next"}));
        return projectionParameters({
            .hidden = shapes.hidden,
            .queryHeads = heads.queryHeads,
            .kvHeads = listed.empty() ? heads.kvHeads : listed[layer],
            .keyDim = heads.keyDim,
            .valueDim = heads.valueDim,
            .queryFactor = gated ? 2 : 1,
            .keyIsValue = !sliding && fields.flag({"attention_k_eq_v"}).value_or(false),
        });
    };
    switch (shapes.roles[layer]) {
    case LayerRole::None:
        return 0;
    case LayerRole::Recurrent:
        return shapes.recurrent.parameters;
    case LayerRole::Compressed:
        return compressedLayer(fields, shapes);
    case LayerRole::FullAndRecurrent:
        return shapes.recurrent.parameters ? std::optional(projections() + *shapes.recurrent.parameters) : std::nullopt;
    case LayerRole::Full:
    case LayerRole::Sliding:
    case LayerRole::Chunked:
    case LayerRole::Cross:
        break;
    }
    return projections();
}

bool tiedEmbeddings(ConfigFields& fields)
{
    const json* tied = fields.findOuter({"tie_word_embeddings"});
    return tied != nullptr && tied->is_boolean() ? tied->get<bool>() : familyTraits(fields.modelType()).tiedEmbeddings;
}

void addEmbeddings(ConfigFields& fields, ParameterCount& count, const LayerShapes& shapes, std::int64_t vocabulary)
{
    const std::int64_t matrix = checkedMultiply(vocabulary, shapes.hidden);
    count.add(WeightPart::Embedding, matrix);
    if (!tiedEmbeddings(fields)) {
        count.add(WeightPart::Head, matrix);
    }
    if (familyTraits(fields.modelType()).learnedPositions) {
        count.add(WeightPart::Embedding, checkedMultiply(longestSequence(fields), shapes.hidden));
    }
    // Gemma 3n and 4 give every layer an embedding of its own.
    const std::int64_t perLayer = fields.count({"hidden_size_per_layer_input"}, 0, mostWidth, 0);
    if (perLayer > 0) {
        const auto layers = static_cast<std::int64_t>(shapes.roles.size());
        const std::int64_t words = fields.count({"vocab_size_per_layer_input"}, 1, mostTokens, vocabulary);
        count.add(WeightPart::Embedding, checkedMultiply(checkedMultiply(words, perLayer), layers));
        count.add(WeightPart::Small, checkedMultiply(checkedMultiply(3 * shapes.hidden, perLayer), layers));
    }
}

} // namespace

std::optional<ParameterCount> countParameters(ConfigFields& fields, const LayerShapes& shapes, std::int64_t vocabulary)
{
    if (vocabulary == 0) {
        fields.warn("vocab_size is not in the file: the parameters are not counted");
        return std::nullopt;
    }
    ParameterCount count;
    addEmbeddings(fields, count, shapes, vocabulary);
    const Widths widths = widthsOf(fields, shapes.hidden);
    const bool blocks = fields.has({"block_configs"});
    const std::vector<FeedForward> feedForward = feedForwards(fields, shapes.roles);
    for (std::size_t i = 0; i < shapes.roles.size(); ++i) {
        const auto mixer = mixerParameters(fields, shapes, i);
        if (!mixer) {
            fields.warn(fmt::format("the parameters of {}'s layers are not known to this version", fields.modelType()));
            return std::nullopt;
        }
        count.add(WeightPart::Attention, *mixer);
        count.add(WeightPart::Small, 2 * shapes.hidden);
        if (blocks) {
            continue;
        }
        if (feedForward[i] == FeedForward::Dense) {
            count.add(WeightPart::Dense, feedForwardParameters(shapes.hidden, widths.dense, widths.gated));
        } else if (feedForward[i] == FeedForward::Experts) {
            addExperts(count, widths, shapes.hidden);
        }
    }
    if (blocks && !addBlockFeedForwards(fields, count, shapes.hidden)) {
        fields.warn("block_configs has a feed-forward part without a width: the parameters are not counted");
        return std::nullopt;
    }
    count.add(WeightPart::Small, shapes.hidden);
    return count;
}

} // namespace kvplan
