// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/class_defaults.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace kvplan {

namespace {

struct ClassDefault {
    std::string_view modelType; ///< exactly
    std::string_view key;
    std::int64_t value;
};

constexpr std::array defaults{
    ClassDefault{"llama", "hidden_size", 4096},
    ClassDefault{"llama", "intermediate_size", 11008},
    ClassDefault{"llama", "num_hidden_layers", 32},
    ClassDefault{"llama", "num_attention_heads", 32},
    ClassDefault{"llama", "vocab_size", 32000},
    ClassDefault{"llama", "max_position_embeddings", 2048},
    ClassDefault{"mistral", "hidden_size", 4096},
    ClassDefault{"mistral", "intermediate_size", 14336},
    ClassDefault{"mistral", "num_hidden_layers", 32},
    ClassDefault{"mistral", "num_attention_heads", 32},
    ClassDefault{"mistral", "num_key_value_heads", 8},
    ClassDefault{"mistral", "vocab_size", 32000},
    ClassDefault{"mistral", "sliding_window", 4096},
    ClassDefault{"gemma", "head_dim", 256},
    ClassDefault{"gemma2", "head_dim", 256},
    ClassDefault{"gemma2", "sliding_window", 4096},
    ClassDefault{"gemma2", "sliding_window_pattern", 2},
    ClassDefault{"gemma3_text", "hidden_size", 2304},
    ClassDefault{"gemma3_text", "intermediate_size", 9216},
    ClassDefault{"gemma3_text", "num_hidden_layers", 26},
    ClassDefault{"gemma3_text", "num_attention_heads", 8},
    ClassDefault{"gemma3_text", "num_key_value_heads", 4},
    ClassDefault{"gemma3_text", "head_dim", 256},
    ClassDefault{"gemma3_text", "vocab_size", 262208},
    ClassDefault{"gemma3_text", "max_position_embeddings", 131072},
    ClassDefault{"gemma3_text", "sliding_window", 4096},
    ClassDefault{"gemma3_text", "sliding_window_pattern", 6},
    ClassDefault{"gemma3n_text", "head_dim", 256},
    ClassDefault{"gemma3n_text", "num_attention_heads", 8},
    ClassDefault{"gemma3n_text", "num_key_value_heads", 2},
    ClassDefault{"gemma3n_text", "sliding_window", 512},
    ClassDefault{"gemma3n_text", "sliding_window_pattern", 5},
    ClassDefault{"gemma3n_text", "num_kv_shared_layers", 15},
    ClassDefault{"gemma4_text", "head_dim", 256},
    ClassDefault{"gemma4_text", "global_head_dim", 512},
    ClassDefault{"gemma4_text", "sliding_window", 512},
    ClassDefault{"gemma4_text", "sliding_window_pattern", 6},
    ClassDefault{"qwen3", "head_dim", 128},
    ClassDefault{"gpt_oss", "head_dim", 64},
    ClassDefault{"gpt_oss", "sliding_window", 128},
    ClassDefault{"gpt_oss", "sliding_window_pattern", 2},
    ClassDefault{"cohere2", "sliding_window", 4096},
    ClassDefault{"cohere2", "sliding_window_pattern", 4},
    ClassDefault{"olmo3", "sliding_window", 4096},
    ClassDefault{"olmo3", "sliding_window_pattern", 4},
    ClassDefault{"exaone4", "sliding_window", 4096},
    ClassDefault{"exaone4", "sliding_window_pattern", 4},
    ClassDefault{"llama4_text", "head_dim", 128},
    ClassDefault{"llama4_text", "num_key_value_heads", 8},
    ClassDefault{"llama4_text", "attention_chunk_size", 8192},
    ClassDefault{"llama4_text", "no_rope_layer_interval", 4},
    ClassDefault{"qwen3_next", "full_attention_interval", 4},
    ClassDefault{"qwen3_5_text", "full_attention_interval", 4},
    ClassDefault{"qwen3_5_moe_text", "full_attention_interval", 4},
    ClassDefault{"qwen3_next", "head_dim", 256},
    ClassDefault{"qwen3_next", "linear_conv_kernel_dim", 4},
    ClassDefault{"qwen3_next", "linear_key_head_dim", 128},
    ClassDefault{"qwen3_next", "linear_value_head_dim", 128},
    ClassDefault{"qwen3_next", "linear_num_key_heads", 16},
    ClassDefault{"qwen3_next", "linear_num_value_heads", 32},
    ClassDefault{"qwen3_5_text", "head_dim", 256},
    ClassDefault{"qwen3_5_text", "linear_conv_kernel_dim", 4},
    ClassDefault{"qwen3_5_text", "linear_key_head_dim", 128},
    ClassDefault{"qwen3_5_text", "linear_value_head_dim", 128},
    ClassDefault{"qwen3_5_text", "linear_num_key_heads", 16},
    ClassDefault{"qwen3_5_text", "linear_num_value_heads", 32},
    ClassDefault{"qwen3_5_moe_text", "head_dim", 256},
    ClassDefault{"qwen3_5_moe_text", "linear_conv_kernel_dim", 4},
    ClassDefault{"qwen3_5_moe_text", "linear_key_head_dim", 128},
    ClassDefault{"qwen3_5_moe_text", "linear_value_head_dim", 128},
    ClassDefault{"qwen3_5_moe_text", "linear_num_key_heads", 16},
    ClassDefault{"qwen3_5_moe_text", "linear_num_value_heads", 32},
    ClassDefault{"jamba", "attn_layer_period", 8},
    ClassDefault{"jamba", "attn_layer_offset", 4},
    ClassDefault{"jamba", "num_key_value_heads", 8},
    ClassDefault{"jamba", "mamba_d_state", 16},
    ClassDefault{"jamba", "mamba_d_conv", 4},
    ClassDefault{"jamba", "mamba_expand", 2},
    ClassDefault{"mamba", "state_size", 16},
    ClassDefault{"mamba", "conv_kernel", 4},
    ClassDefault{"mamba", "expand", 2},
    ClassDefault{"falcon_mamba", "state_size", 16},
    ClassDefault{"falcon_mamba", "conv_kernel", 4},
    ClassDefault{"mamba2", "num_heads", 128},
    ClassDefault{"mamba2", "head_dim", 64},
    ClassDefault{"mamba2", "state_size", 128},
    ClassDefault{"mamba2", "n_groups", 8},
    ClassDefault{"mamba2", "conv_kernel", 4},
    ClassDefault{"lfm2", "conv_L_cache", 3},
    ClassDefault{"deepseek_v2", "kv_lora_rank", 512},
    ClassDefault{"deepseek_v2", "qk_rope_head_dim", 64},
    ClassDefault{"deepseek_v3", "kv_lora_rank", 512},
    ClassDefault{"deepseek_v3", "qk_rope_head_dim", 64},
    ClassDefault{"falcon", "multi_query", 1},
    ClassDefault{"gpt_bigcode", "multi_query", 1},
};

// One row a family whose code differs from gate, up and down with an output head of its own.
constexpr std::array traits{
    FamilyTraits{.modelType = "gemma", .tiedEmbeddings = true},
    FamilyTraits{.modelType = "gemma2", .tiedEmbeddings = true},
    FamilyTraits{.modelType = "gemma3", .tiedEmbeddings = true},
    FamilyTraits{.modelType = "gemma3n", .tiedEmbeddings = true},
    FamilyTraits{.modelType = "gemma4", .tiedEmbeddings = true},
    FamilyTraits{.modelType = "recurrent_gemma", .tiedEmbeddings = true},
    FamilyTraits{.modelType = "cohere", .tiedEmbeddings = true},
    FamilyTraits{.modelType = "cohere2", .tiedEmbeddings = true},
    FamilyTraits{.modelType = "lfm2", .tiedEmbeddings = true},
    FamilyTraits{.modelType = "mamba", .tiedEmbeddings = true},
    FamilyTraits{.modelType = "phi3small", .tiedEmbeddings = true},
    FamilyTraits{.modelType = "minicpm", .tiedEmbeddings = true},
    FamilyTraits{.modelType = "qwen", .mlpDivisor = 2},
    FamilyTraits{.modelType = "gpt2", .gatedMlp = false, .tiedEmbeddings = true, .learnedPositions = true},
    FamilyTraits{.modelType = "gpt_bigcode", .gatedMlp = false, .tiedEmbeddings = true, .learnedPositions = true},
    FamilyTraits{.modelType = "gpt_neo", .gatedMlp = false, .tiedEmbeddings = true, .learnedPositions = true},
    FamilyTraits{.modelType = "opt", .gatedMlp = false, .tiedEmbeddings = true, .learnedPositions = true},
    FamilyTraits{.modelType = "gpt_neox", .gatedMlp = false},
    FamilyTraits{.modelType = "gptj", .gatedMlp = false},
    FamilyTraits{.modelType = "codegen", .gatedMlp = false},
    FamilyTraits{.modelType = "mpt", .gatedMlp = false, .tiedEmbeddings = true},
    FamilyTraits{.modelType = "bloom", .gatedMlp = false, .tiedEmbeddings = true},
    FamilyTraits{.modelType = "falcon", .gatedMlp = false, .tiedEmbeddings = true},
    FamilyTraits{.modelType = "falcon_mamba"},
    FamilyTraits{.modelType = "falcon_h1"},
    FamilyTraits{.modelType = "RefinedWeb", .gatedMlp = false, .tiedEmbeddings = true},
    FamilyTraits{.modelType = "RefinedWebModel", .gatedMlp = false, .tiedEmbeddings = true},
    FamilyTraits{.modelType = "phi", .gatedMlp = false},
    FamilyTraits{.modelType = "phi-msft", .gatedMlp = false},
    FamilyTraits{.modelType = "starcoder2", .gatedMlp = false, .tiedEmbeddings = true},
    FamilyTraits{.modelType = "nemotron", .gatedMlp = false},
    FamilyTraits{.modelType = "nemotron_h", .gatedMlp = false},
};

struct Refusal {
    std::string_view modelType; ///< this type, or this with a suffix
    std::string_view why;
};

constexpr std::string_view encoder = "it is an encoder, which keeps no cache";
constexpr std::string_view encoderDecoder = "it is an encoder-decoder, whose two caches this version does not read";
constexpr std::string_view vision = "it is a vision or speech model without a language model";
constexpr std::string_view unknownLayers = "this version does not know which of its layers keep a cache";

constexpr std::array refusals{
    Refusal{"bert", encoder},
    Refusal{"roberta", encoder},
    Refusal{"xlm-roberta", encoder},
    Refusal{"distilbert", encoder},
    Refusal{"electra", encoder},
    Refusal{"deberta", encoder},
    Refusal{"deberta-v2", encoder},
    Refusal{"modernbert", encoder},
    Refusal{"nomic_bert", encoder},
    Refusal{"albert", encoder},
    Refusal{"t5", encoderDecoder},
    Refusal{"mt5", encoderDecoder},
    Refusal{"umt5", encoderDecoder},
    Refusal{"t5gemma", encoderDecoder},
    Refusal{"bart", encoderDecoder},
    Refusal{"mbart", encoderDecoder},
    Refusal{"whisper", encoderDecoder},
    Refusal{"m2m_100", encoderDecoder},
    Refusal{"pegasus", encoderDecoder},
    Refusal{"marian", encoderDecoder},
    Refusal{"clip", vision},
    Refusal{"siglip", vision},
    Refusal{"vit", vision},
    Refusal{"wav2vec2", vision},
    Refusal{"hymba", unknownLayers},
    Refusal{"phi4flash", unknownLayers},
    Refusal{"plamo2", unknownLayers},
    Refusal{"zamba", unknownLayers},
    Refusal{"xlstm", unknownLayers},
    Refusal{"retnet", unknownLayers},
};

/// The row of a table for a model type: its own, else that of the longest type it adds a suffix to.
template <class Table> auto rowOf(const Table& table, std::string_view modelType) -> const typename Table::value_type*
{
    const typename Table::value_type* best = nullptr;
    for (const auto& row : table) {
        const bool matches = modelType == row.modelType
            || (modelType.starts_with(row.modelType) && modelType[row.modelType.size()] == '_');
        if (matches && (best == nullptr || row.modelType.size() > best->modelType.size())) {
            best = &row;
        }
    }
    return best;
}

} // namespace

nlohmann::json classDefaults(std::string_view modelType)
{
    auto object = nlohmann::json::object();
    for (const ClassDefault& row : defaults) {
        if (row.modelType == modelType) {
            object[std::string(row.key)] = row.value;
        }
    }
    return object;
}

FamilyTraits familyTraits(std::string_view modelType)
{
    const FamilyTraits* row = rowOf(traits, modelType);
    return row == nullptr ? FamilyTraits{} : *row;
}

std::string_view whyNotDecoder(std::string_view modelType)
{
    const Refusal* row = rowOf(refusals, modelType);
    return row == nullptr ? std::string_view{} : row->why;
}

} // namespace kvplan
