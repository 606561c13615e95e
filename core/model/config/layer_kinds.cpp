// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/layer_kinds.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvplan {

using nlohmann::json;

namespace {

bool contains(const std::vector<LayerRole>& roles, std::initializer_list<LayerRole> wanted)
{
    return std::ranges::any_of(roles, [&](LayerRole role) { return std::ranges::count(wanted, role) > 0; });
}

/// DeepSeek's latent: both keys or neither. A null rank means plain heads.
std::optional<LatentAttention> latentAttention(ConfigFields& fields)
{
    const auto rank = fields.count({"kv_lora_rank"}, 1, mostWidth);
    if (!rank) {
        return std::nullopt;
    }
    LatentAttention latent;
    latent.rank = *rank;
    latent.ropeDim = fields.required({"qk_rope_head_dim"}, 0, mostWidth);
    return latent;
}

/// Which layers hold an indexer of their own: a list of words, a frequency list of 0 and 1, else all of them.
std::vector<bool> indexerLayers(ConfigFields& fields, std::size_t layers)
{
    std::vector<bool> result(layers, true);
    if (const json* types = fields.find({"indexer_types"}); types != nullptr && types->is_array()) {
        for (std::size_t i = 0; i < std::min(layers, types->size()); ++i) {
            result[i] = (*types)[i] != json("shared");
        }
    }
    const auto frequency = fields.counts({"sparse_attention_config.sparse_attention_freq"}, 0, 1);
    for (std::size_t i = 0; i < std::min(layers, frequency.size()); ++i) {
        result[i] = frequency[i] == 1;
    }
    return result;
}

void readIndexer(ConfigFields& fields, LayerShapes& shapes)
{
    const bool sparse = fields.flag({"sparse_attention_config.use_sparse_attention"}).value_or(true);
    const Keys widths{"index_head_dim", "sparse_attention_config.sparse_index_dim"};
    shapes.indexerDim = sparse ? fields.count(widths, 0, mostWidth, 0) : 0;
    shapes.hasIndexer = indexerLayers(fields, shapes.roles.size());
}

/// The vision tower's tokens that cross attention keeps: (patches + class token) of every tile.
Tokens encoderTokens(ConfigFields& fields)
{
    const json* vision = fields.findOuter({"vision_config"});
    const auto figure = [&](const char* key) -> std::int64_t {
        const json value = vision != nullptr && vision->is_object() ? vision->value(key, json()) : json();
        return value.is_number_integer() && value.get<std::int64_t>() > 0 && value.get<std::int64_t>() < mostHeads
            ? value.get<std::int64_t>()
            : 0;
    };
    const std::int64_t image = figure("image_size");
    const std::int64_t patch = figure("patch_size");
    if (image == 0 || patch == 0) {
        fields.warn("the file does not say how many vision tokens the cross-attention layers keep: they count as none");
        return Tokens(0);
    }
    const std::int64_t side = image / patch;
    return Tokens(side * side + 1) * std::max<std::int64_t>(1, figure("max_num_tiles"));
}

template <class Kind> Kind withHeads(const HeadShape& heads)
{
    Kind kind;
    kind.kvHeads = heads.kvHeads;
    kind.keyDim = heads.keyDim;
    kind.valueDim = heads.valueDim;
    return kind;
}

/// DeepSeek-V4: ratio 0 is a window alone; ratio 4 also has an indexer.
std::vector<CompressedAttention> compressedLayers(ConfigFields& fields, const LayerShapes& shapes)
{
    std::vector<CompressedAttention> layers(shapes.roles.size());
    auto ratios = fields.counts({"compress_ratios"}, 0, mostWidth);
    if (ratios.size() < layers.size()) {
        fields.fail(ErrorCode::Inconsistent, "compress_ratios",
            fmt::format("compress_ratios has {} entries and there are {} layers", ratios.size(), layers.size()));
        return layers;
    }
    const std::int64_t entry = fields.required({"head_dim"}, 1, mostWidth);
    const Tokens window(fields.count({"sliding_window"}, 0, mostTokens, 0));
    constexpr std::int64_t indexedRatio = 4;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        layers[i] = {entry, ratios[i], window, ratios[i] == indexedRatio ? shapes.indexerDim : 0};
    }
    return layers;
}

/// What the layer reads where its role is full attention.
AttentionKind fullKind(const LayerShapes& shapes, std::size_t layer)
{
    const std::int64_t indexer = shapes.hasIndexer[layer] ? shapes.indexerDim : 0;
    if (shapes.latent) {
        LatentAttention latent = *shapes.latent;
        latent.indexerDim = indexer;
        return latent;
    }
    auto full = withHeads<FullAttention>(shapes.heads.full);
    full.indexerDim = indexer;
    if (!shapes.heads.kvHeadsOfLayer.empty()) {
        full.kvHeads = shapes.heads.kvHeadsOfLayer[layer];
    }
    return full;
}

} // namespace

LayerShapes layerShapes(ConfigFields& fields)
{
    LayerShapes shapes;
    shapes.roles = layerRoles(fields);
    if (fields.error()) {
        return shapes;
    }
    shapes.hidden = hiddenSize(fields);
    if (contains(shapes.roles, {LayerRole::Compressed})) {
        shapes.heads.full.queryHeads = fields.required({"num_attention_heads"}, 1, mostHeads);
    } else if (contains(shapes.roles,
                   {LayerRole::Full, LayerRole::Sliding, LayerRole::Chunked, LayerRole::Cross,
                       LayerRole::FullAndRecurrent})) {
        shapes.latent = latentAttention(fields);
        if (shapes.latent) {
            shapes.heads.full.queryHeads = fields.required({"num_attention_heads"}, 1, mostHeads);
        } else {
            shapes.heads = attentionHeads(fields);
        }
    }
    if (const std::size_t listed = shapes.heads.kvHeadsOfLayer.size(); listed > 0 && listed != shapes.roles.size()) {
        fields.fail(ErrorCode::Inconsistent, "num_key_value_heads",
            fmt::format("KV heads are listed for {} layers and there are {}", listed, shapes.roles.size()));
    }
    if (contains(shapes.roles, {LayerRole::Recurrent, LayerRole::FullAndRecurrent})) {
        shapes.recurrent = recurrentLayer(fields, shapes.hidden);
    }
    readIndexer(fields, shapes);
    shapes.sharedLayers
        = fields.count({"num_kv_shared_layers"}, 0, static_cast<std::int64_t>(shapes.roles.size()) - 1, 0);
    if (fields.flag({"use_cla"}).value_or(false)) {
        fields.fail(ErrorCode::Unsupported, "use_cla",
            "use_cla shares caches between neighbouring layers, which this version does not read");
    }
    return shapes;
}

std::vector<std::vector<AttentionKind>> layerKinds(ConfigFields& fields, const LayerShapes& shapes)
{
    const std::size_t layers = shapes.roles.size();
    std::vector<std::vector<AttentionKind>> kinds(layers);
    const std::int64_t window = contains(shapes.roles, {LayerRole::Sliding}) ? activeWindow(fields) : 0;
    const std::int64_t chunk
        = contains(shapes.roles, {LayerRole::Chunked}) ? fields.required({"attention_chunk_size"}, 1, mostTokens) : 0;
    const Tokens encoder = contains(shapes.roles, {LayerRole::Cross}) ? encoderTokens(fields) : Tokens(0);
    const auto compressed = contains(shapes.roles, {LayerRole::Compressed}) ? compressedLayers(fields, shapes)
                                                                            : std::vector<CompressedAttention>(layers);
    if (contains(shapes.roles, {LayerRole::Sliding}) && shapes.latent) {
        fields.fail(ErrorCode::Unsupported, "sliding_window",
            "kv_lora_rank and sliding layers in one model are not known to this version");
    }
    if (contains(shapes.roles, {LayerRole::Sliding}) && window == 0 && !fields.error()) {
        fields.warn("layers are named sliding and no window cuts them: they count as full attention");
    }
    const std::size_t owning = layers - static_cast<std::size_t>(shapes.sharedLayers);
    for (std::size_t i = 0; i < layers; ++i) {
        std::vector<AttentionKind>& kept = kinds[i];
        switch (shapes.roles[i]) {
        case LayerRole::Full:
            kept = {fullKind(shapes, i)};
            break;
        case LayerRole::Sliding: {
            auto sliding = withHeads<SlidingAttention>(shapes.heads.sliding);
            sliding.window = Tokens(window);
            kept = window > 0 ? std::vector<AttentionKind>{sliding}
                              : std::vector<AttentionKind>{withHeads<FullAttention>(shapes.heads.sliding)};
            break;
        }
        case LayerRole::Chunked: {
            auto chunked = withHeads<ChunkedAttention>(shapes.heads.full);
            chunked.chunk = Tokens(chunk);
            kept = {chunked};
            break;
        }
        case LayerRole::Compressed:
            kept = {compressed[i]};
            break;
        case LayerRole::Recurrent:
            kept = {shapes.recurrent.state};
            break;
        case LayerRole::FullAndRecurrent:
            kept = {fullKind(shapes, i), shapes.recurrent.state};
            break;
        case LayerRole::Cross: {
            auto cross = withHeads<CrossAttention>(shapes.heads.full);
            cross.encoderTokens = encoder;
            kept = {cross};
            break;
        }
        case LayerRole::None:
            break;
        }
        if (i >= owning && !kept.empty()) {
            kept = {SharedCache{}};
        }
    }
    return kinds;
}

} // namespace kvplan
