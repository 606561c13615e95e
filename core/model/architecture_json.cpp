// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architecture_json.h"

#include "core/json_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvplan {

using nlohmann::json;

namespace {

constexpr std::int64_t mostLayers = 10000;
constexpr std::int64_t mostHeads = 65536;
constexpr std::int64_t mostWidth = 1'000'000;
constexpr std::int64_t mostElements = 1'000'000'000'000;
constexpr std::int64_t mostTokens = 1'000'000'000'000;
constexpr std::int64_t mostParameters = 1'000'000'000'000'000;

template <class Heads> void writeHeads(json& object, const Heads& kind)
{
    object["kv_heads"] = kind.kvHeads;
    object["k_head_dim"] = kind.keyDim;
    object["v_head_dim"] = kind.valueDim;
}

template <class Heads> void readHeads(JsonReader& reader, Heads& kind)
{
    kind.kvHeads = reader.integer("kv_heads", 1, mostHeads);
    kind.keyDim = reader.integer("k_head_dim", 1, mostWidth);
    kind.valueDim = reader.integer("v_head_dim", 1, mostWidth);
}

// One write and one read for each kind, with the same keys in the same order.

void write(json& object, const FullAttention& kind)
{
    writeHeads(object, kind);
    if (kind.indexerDim > 0) {
        object["indexer_dim"] = kind.indexerDim;
    }
}
void read(JsonReader& reader, FullAttention& kind)
{
    readHeads(reader, kind);
    kind.indexerDim = reader.integer("indexer_dim", 0, mostWidth, 0);
}

void write(json& object, const SlidingAttention& kind)
{
    writeHeads(object, kind);
    object["window_tokens"] = kind.window.count();
}
void read(JsonReader& reader, SlidingAttention& kind)
{
    readHeads(reader, kind);
    kind.window = Tokens(reader.integer("window_tokens", 1, mostTokens));
}

void write(json& object, const ChunkedAttention& kind)
{
    writeHeads(object, kind);
    object["chunk_tokens"] = kind.chunk.count();
}
void read(JsonReader& reader, ChunkedAttention& kind)
{
    readHeads(reader, kind);
    kind.chunk = Tokens(reader.integer("chunk_tokens", 1, mostTokens));
}

void write(json& object, const LatentAttention& kind)
{
    object["rank"] = kind.rank;
    object["rope_dim"] = kind.ropeDim;
    if (kind.indexerDim > 0) {
        object["indexer_dim"] = kind.indexerDim;
    }
}
void read(JsonReader& reader, LatentAttention& kind)
{
    kind.rank = reader.integer("rank", 1, mostWidth);
    kind.ropeDim = reader.integer("rope_dim", 0, mostWidth);
    kind.indexerDim = reader.integer("indexer_dim", 0, mostWidth, 0);
}

void write(json& object, const CompressedAttention& kind)
{
    object["entry_dim"] = kind.entryDim;
    object["ratio"] = kind.ratio;
    object["window_tokens"] = kind.window.count();
    if (kind.indexerDim > 0) {
        object["indexer_dim"] = kind.indexerDim;
    }
}
void read(JsonReader& reader, CompressedAttention& kind)
{
    kind.entryDim = reader.integer("entry_dim", 1, mostWidth);
    kind.ratio = reader.integer("ratio", 0, mostWidth);
    kind.window = Tokens(reader.integer("window_tokens", 0, mostTokens));
    kind.indexerDim = reader.integer("indexer_dim", 0, mostWidth, 0);
}

void write(json& object, const CrossAttention& kind)
{
    writeHeads(object, kind);
    object["encoder_tokens"] = kind.encoderTokens.count();
}
void read(JsonReader& reader, CrossAttention& kind)
{
    readHeads(reader, kind);
    kind.encoderTokens = Tokens(reader.integer("encoder_tokens", 0, mostTokens));
}

void write(json& object, const RecurrentState& kind)
{
    object["state_elements"] = kind.stateElements;
    object["conv_elements"] = kind.convElements;
    object["state_element_bytes"] = kind.stateElementBytes;
    object["conv_element_bytes"] = kind.convElementBytes;
}
void read(JsonReader& reader, RecurrentState& kind)
{
    kind.stateElements = reader.integer("state_elements", 0, mostElements);
    kind.convElements = reader.integer("conv_elements", 0, mostElements);
    kind.stateElementBytes = reader.integer("state_element_bytes", 1, 8);
    kind.convElementBytes = reader.integer("conv_element_bytes", 1, 8);
}

void write(json&, const SharedCache&) { }
void read(JsonReader&, SharedCache&) { }

/// The kind whose word is `name`, default-constructed; empty when there is none.
template <std::size_t Index = 0> std::optional<AttentionKind> kindFromName(std::string_view name)
{
    if constexpr (Index == std::variant_size_v<AttentionKind>) {
        return std::nullopt;
    } else {
        AttentionKind kind{std::in_place_index<Index>};
        return kindName(kind) == name ? std::optional<AttentionKind>(kind) : kindFromName<Index + 1>(name);
    }
}

json groupsJson(const std::vector<AttentionGroup>& groups)
{
    json list = json::array();
    for (const AttentionGroup& group : groups) {
        json object{{"kind", kindName(group.kind)}, {"layers", group.layers}};
        std::visit([&](const auto& kind) { write(object, kind); }, group.kind);
        list.push_back(std::move(object));
    }
    return list;
}

json orderJson(const std::vector<std::int32_t>& order)
{
    json runs = json::array();
    for (const std::int32_t group : order) {
        if (!runs.empty() && runs.back()[0] == group) {
            runs.back()[1] = runs.back()[1].get<std::int64_t>() + 1;
        } else {
            runs.push_back({group, 1});
        }
    }
    return runs;
}

void readGroups(JsonReader& reader, Architecture& architecture)
{
    const json& list = reader.member("groups");
    if (!list.is_array() || list.empty() || list.size() > 1000) {
        reader.fail("groups", "it is not a list of attention groups");
        return;
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonReader group(list[i], fmt::format("{}[{}]", reader.path("groups"), i));
        const std::string name = group.text("kind");
        auto kind = kindFromName(name);
        if (!kind) {
            group.fail("kind", fmt::format("\"{}\" is not a kind of attention", name));
        } else {
            std::visit([&](auto& k) { read(group, k); }, *kind);
            architecture.groups.push_back({group.integer("layers", 1, mostLayers), *kind});
        }
        if (group.error()) {
            reader.adopt(*group.error());
            return;
        }
    }
}

/// Whether a run is [group, layers] of a group with so many layers left to place; takes them off.
bool takeRun(const json& run, std::vector<std::int64_t>& left)
{
    if (!run.is_array() || run.size() != 2 || !run[0].is_number_integer() || !run[1].is_number_integer()) {
        return false;
    }
    const auto group = run[0].get<std::int64_t>();
    const auto layers = run[1].get<std::int64_t>();
    if (group < 0 || group >= static_cast<std::int64_t>(left.size()) || layers < 1) {
        return false;
    }
    std::int64_t& rest = left[static_cast<std::size_t>(group)];
    rest -= std::min(layers, rest + 1);
    return rest >= 0;
}

void readOrder(JsonReader& reader, Architecture& architecture)
{
    if (reader.error() || !reader.has("order")) {
        return;
    }
    std::vector<std::int64_t> left;
    for (const AttentionGroup& group : architecture.groups) {
        left.push_back(group.layers);
    }
    for (const json& run : reader.member("order")) {
        if (!takeRun(run, left)) {
            reader.fail("order", "it is not a list of [group, layers] that places every layer once");
            return;
        }
        architecture.order.insert(architecture.order.end(), run[1].get<std::size_t>(), run[0].get<std::int32_t>());
    }
    if (std::ranges::any_of(left, [](std::int64_t layers) { return layers > 0; })) {
        reader.fail("order", "it leaves out layers of a group");
    }
}

} // namespace

json toJson(const Architecture& architecture)
{
    json object{{"name", architecture.name}, {"layers", architecture.layers}};
    const auto add = [&](const char* key, std::int64_t value) {
        if (value != 0) {
            object[key] = value;
        }
    };
    add("hidden", architecture.hidden);
    add("query_heads", architecture.queryHeads);
    add("vocabulary", architecture.vocabulary);
    add("parameters", architecture.parameters.value_or(0));
    add("active_parameters", architecture.activeParameters.value_or(0));
    add("embedding_parameters", architecture.embeddingParameters);
    add("weights_bytes", architecture.weightsBytes.value_or(Bytes(0)).count());
    add("max_position", architecture.maxPosition.value_or(Tokens(0)).count());
    if (!architecture.weightFormat.empty()) {
        object["weight_format"] = architecture.weightFormat;
    }
    if (architecture.cacheFormat) {
        object["cache_format"] = name(*architecture.cacheFormat);
    }
    if (!architecture.source.empty()) {
        object["source"] = architecture.source;
    }
    if (!architecture.warnings.empty()) {
        object["warnings"] = architecture.warnings;
    }
    object["groups"] = groupsJson(architecture.groups);
    if (!architecture.order.empty()) {
        object["order"] = orderJson(architecture.order);
    }
    return object;
}

Result<Architecture> architectureFromJson(const json& object, std::string_view where)
{
    JsonReader reader(object, where);
    Architecture architecture;
    architecture.name = reader.text("name");
    architecture.layers = reader.integer("layers", 1, mostLayers);
    architecture.hidden = reader.integer("hidden", 0, mostWidth, 0);
    architecture.queryHeads = reader.integer("query_heads", 0, mostHeads, 0);
    architecture.vocabulary = reader.integer("vocabulary", 0, mostParameters, 0);
    architecture.parameters = reader.optionalInteger("parameters", 1, mostParameters);
    architecture.activeParameters = reader.optionalInteger("active_parameters", 1, mostParameters);
    architecture.embeddingParameters
        = reader.integer("embedding_parameters", 0, architecture.parameters.value_or(0), 0);
    if (const auto bytes = reader.optionalInteger("weights_bytes", 1, 8 * mostParameters)) {
        architecture.weightsBytes = Bytes(*bytes);
    }
    if (const auto tokens = reader.optionalInteger("max_position", 1, mostTokens)) {
        architecture.maxPosition = Tokens(*tokens);
    }
    architecture.weightFormat = reader.text("weight_format", "");
    if (reader.has("cache_format")) {
        const auto format = cacheFormatFromName(reader.text("cache_format"));
        if (format) {
            architecture.cacheFormat = *format;
        } else {
            reader.fail("cache_format", format.error().what);
        }
    }
    architecture.source = reader.text("source", "");
    if (reader.has("warnings")) {
        for (const json& warning : reader.member("warnings")) {
            if (!warning.is_string()) {
                reader.fail("warnings", "it is not a list of texts");
                break;
            }
            architecture.warnings.push_back(warning.get<std::string>());
        }
    }
    readGroups(reader, architecture);
    readOrder(reader, architecture);
    if (reader.error()) {
        return tl::unexpected<Error>(*reader.error());
    }
    return architecture;
}

} // namespace kvplan
