// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/read_architecture.h"

#include "core/model/config/checkpoint.h"
#include "core/model/config/class_defaults.h"
#include "core/model/config/count_parameters.h"
#include "core/model/config/json_input.h"
#include "core/model/config/layer_kinds.h"
#include "core/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kvplan {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// Groups of layers that keep their cache alike, in the order they first appear, and the group of each in turn.
void setGroups(Architecture& architecture, const std::vector<std::vector<AttentionKind>>& layers)
{
    for (const auto& kept : layers) {
        for (const AttentionKind& kind : kept) {
            auto group = std::ranges::find(architecture.groups, kind, &AttentionGroup::kind);
            if (group == architecture.groups.end()) {
                group = architecture.groups.insert(group, {0, kind});
            }
            ++group->layers;
            architecture.order.push_back(static_cast<std::int32_t>(group - architecture.groups.begin()));
        }
    }
}

void setWeights(Architecture& architecture, ConfigFields& fields, const LayerShapes& shapes)
{
    const CheckpointFormat format = checkpointFormat(fields);
    architecture.weightFormat = format.name();
    architecture.cacheFormat = format.cache;
    const auto count = countParameters(fields, shapes, architecture.vocabulary);
    if (!count || fields.error()) {
        return;
    }
    constexpr std::int64_t mostParameters = 1'000'000'000'000'000;
    if (count->total() > mostParameters) {
        fields.fail(ErrorCode::TooLarge, "hidden_size", "its figures come to more than 10¹⁵ parameters");
        return;
    }
    architecture.parameters = count->total();
    architecture.activeParameters = count->active();
    architecture.embeddingParameters = count->of(WeightPart::Embedding) + count->of(WeightPart::Head);
    if (!format.quantised.empty()) {
        architecture.weightsBytes = checkpointBytes(format, *count);
    }
}

void warnOfDrafts(ConfigFields& fields)
{
    const std::int64_t drafts
        = fields.count({"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules"}, 0, mostLayers, 0);
    if (drafts > 0) {
        fields.warn(
            fmt::format("{} draft layer{} for multi-token prediction left out", drafts, drafts == 1 ? " is" : "s are"));
    }
}

void warnOfPositions(ConfigFields& fields)
{
    const std::int64_t longest = longestSequence(fields);
    const json* tokenizers = fields.find({"model_max_length"});
    if (longest == 0) {
        fields.warn("the file states no longest sequence");
    } else if (tokenizers != nullptr && tokenizers->is_number_integer() && *tokenizers != json(longest)) {
        fields.warn(
            fmt::format("model_max_length {} differs from max_position_embeddings {}", tokenizers->dump(), longest));
    }
}

std::string nameOf(const json& root, std::string_view fallback)
{
    const auto found = root.find("_name_or_path");
    if (!fallback.empty() || found == root.end() || !found->is_string()) {
        return std::string(fallback);
    }
    return fs::path(found->get<std::string>()).filename().string();
}

Result<Architecture> readFields(const json& root, std::string_view name, std::string_view where)
{
    ConfigFields fields(root, where);
    const std::string_view why = fields.flag({"is_encoder_decoder"}).value_or(false)
        ? "it is an encoder-decoder, whose two caches this version does not read"
        : whyNotDecoder(fields.modelType());
    if (!why.empty()) {
        fields.fail(ErrorCode::Unsupported, "model_type", fmt::format("{} is not read: {}", fields.modelType(), why));
    }
    Architecture architecture;
    if (!fields.error()) {
        const LayerShapes shapes = layerShapes(fields);
        if (!fields.error()) {
            architecture.name = nameOf(root, name);
            architecture.layers = static_cast<std::int64_t>(shapes.roles.size());
            architecture.hidden = shapes.hidden;
            architecture.queryHeads = shapes.heads.full.queryHeads;
            architecture.vocabulary = fields.count({"vocab_size", "padded_vocab_size", "n_vocab"}, 0, mostTokens, 0);
            if (const std::int64_t longest = longestSequence(fields); longest > 0) {
                architecture.maxPosition = Tokens(longest);
            }
            architecture.source = std::string(where);
            setGroups(architecture, layerKinds(fields, shapes));
            setWeights(architecture, fields, shapes);
            warnOfDrafts(fields);
            warnOfPositions(fields);
        }
    }
    if (architecture.groups.empty()) {
        fields.fail(ErrorCode::Unsupported, "model_type", "none of its layers keeps a cache");
    }
    if (fields.error()) {
        return tl::unexpected<Error>(*fields.error());
    }
    architecture.warnings = fields.takeWarnings();
    return architecture;
}

Result<fs::path> configInside(const fs::path& folder)
{
    std::error_code error;
    for (const char* name : {"config.json", "params.json"}) {
        if (fs::is_regular_file(folder / name, error)) {
            return folder / name;
        }
    }
    return failure(ErrorCode::NotFound, "the folder has no config.json and no params.json", folder.string(),
        "give a model's folder, or the file itself");
}

/// ModelOpt writes its quantisation into a file beside the configuration. What cannot be read there is left alone.
void addQuantisationBeside(json& root, const fs::path& config)
{
    if (root.contains("quantization_config")) {
        return;
    }
    const auto text = readTextFile(config.parent_path() / "hf_quant_config.json", maximumTextFile, "a quantisation");
    const auto beside = text ? parseJsonObject(*text, "hf_quant_config.json") : Result<json>(tl::unexpect, Error{});
    if (beside && beside->contains("quantization")) {
        root["quantization_config"] = (*beside)["quantization"];
    }
}

} // namespace

Result<Architecture> readConfigJson(std::string_view text, std::string_view name, std::string_view where)
{
    return guarded("the model's size", [&]() -> Result<Architecture> {
        return parseJsonObject(text, where).and_then([&](const json& root) { return readFields(root, name, where); });
    });
}

Result<Architecture> readArchitecture(const fs::path& path)
{
    std::error_code error;
    for (const char* extension : {".gguf", ".safetensors"}) {
        if (path.extension() == extension) {
            return failure(ErrorCode::Unsupported, fmt::format("{} files are not read by this version", extension),
                path.string(), "give the config.json of the model");
        }
    }
    fs::path file = path;
    if (fs::is_directory(path, error)) {
        const auto inside = configInside(path);
        if (!inside) {
            return tl::unexpected<Error>(inside.error());
        }
        file = *inside;
    }
    const auto text = readTextFile(file, maximumTextFile, "a config.json");
    if (!text) {
        return tl::unexpected<Error>(text.error());
    }
    const fs::path whole = fs::absolute(file, error).lexically_normal();
    const std::string stem = file.stem().string();
    const bool plainName = stem == "config" || stem == "params";
    const std::string name = plainName ? whole.parent_path().filename().string() : stem;
    return guarded("the model's size", [&]() -> Result<Architecture> {
        return parseJsonObject(*text, file.string()).and_then([&](json root) {
            addQuantisationBeside(root, whole);
            return readFields(root, name, file.string());
        });
    });
}

} // namespace kvplan
