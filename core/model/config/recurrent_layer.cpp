// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/recurrent_layer.h"

#include "core/model/parameters.h"
#include "core/units.h"

#include <array>

namespace kvplan {

namespace {

using Elements = Count<struct ElementsTag>;

constexpr std::int64_t mostKernel = 1024;

RecurrentLayer layerOf(Elements state, Elements convolution, std::optional<std::int64_t> parameters)
{
    RecurrentLayer layer;
    layer.state.stateElements = state.count();
    layer.state.convElements = convolution.count();
    layer.parameters = parameters;
    return layer;
}

RecurrentLayer gatedDelta(ConfigFields& fields, std::int64_t hidden)
{
    const std::int64_t valueHeads = fields.required({"linear_num_value_heads"}, 1, mostHeads);
    const std::int64_t valueDim = fields.required({"linear_value_head_dim"}, 1, mostWidth);
    const std::int64_t keyHeads = fields.required({"linear_num_key_heads"}, 1, mostHeads);
    const std::int64_t keyDim = fields.required({"linear_key_head_dim"}, 1, mostWidth);
    const std::int64_t kernel = fields.required({"linear_conv_kernel_dim"}, 1, mostKernel);
    const Elements channels = Elements(2) * keyHeads * keyDim + Elements(valueHeads) * valueDim;
    return layerOf(Elements(valueHeads) * keyDim * valueDim, channels * (kernel - 1),
        gatedDeltaParameters(hidden, keyHeads, keyDim, valueHeads, valueDim, kernel));
}

RecurrentLayer kimiDelta(ConfigFields& fields, std::int64_t hidden)
{
    const std::int64_t heads = fields.required({"linear_attn_config.num_heads"}, 1, mostHeads);
    const std::int64_t dim = fields.required({"linear_attn_config.head_dim"}, 1, mostWidth);
    const std::int64_t kernel = fields.count({"linear_attn_config.short_conv_kernel_size"}, 1, mostKernel, 4);
    const Elements inner = Elements(heads) * dim;
    // q, k, v and output; decay and output gate through a rank of one head's width; one gate a head.
    const Elements gates = (Elements(hidden) * dim + inner * dim) * 2 + Elements(hidden) * heads;
    return layerOf(inner * dim, inner * 3 * (kernel - 1), (inner * hidden * 4 + gates + inner * 3 * kernel).count());
}

RecurrentLayer lightning(ConfigFields& fields, std::int64_t hidden)
{
    const std::int64_t heads = fields.required({"num_attention_heads"}, 1, mostHeads);
    const std::int64_t dim = fields.count({"head_dim"}, 1, mostWidth, hidden / heads);
    const Elements inner = Elements(heads) * dim;
    return layerOf(inner * dim, Elements(0), (inner * hidden * 5).count());
}

RecurrentLayer shortConvolution(ConfigFields& fields, std::int64_t hidden)
{
    const std::int64_t length = fields.required({"conv_L_cache"}, 1, mostKernel);
    const std::int64_t channels = fields.count({"conv_dim"}, 1, mostWidth, hidden);
    const Elements matrices = Elements(hidden) * channels * 4;
    return layerOf(Elements(0), Elements(channels) * length, (matrices + Elements(channels) * length).count());
}

RecurrentLayer griffin(ConfigFields& fields, std::int64_t hidden)
{
    const std::int64_t width = fields.count({"lru_width"}, 1, mostWidth, hidden);
    const std::int64_t kernel = fields.count({"conv1d_width"}, 1, mostKernel, 4);
    return layerOf(Elements(width), Elements(width) * (kernel - 1), std::nullopt);
}

RecurrentLayer rwkv(ConfigFields& fields, std::int64_t hidden)
{
    const std::int64_t inner = fields.count({"attention_hidden_size"}, 1, mostWidth, hidden);
    if (fields.modelType() == "rwkv") {
        // RWKV-4 keeps three columns in full precision and two of shifted tokens.
        return layerOf(Elements(inner) * 3, Elements(hidden) * 2, std::nullopt);
    }
    const std::int64_t dim = fields.count({"head_size", "head_dim"}, 1, mostWidth, 64);
    return layerOf(Elements(inner) * dim, Elements(hidden) * 2, std::nullopt);
}

std::int64_t convolutionKernel(ConfigFields& fields)
{
    return fields.count({"mamba_d_conv", "conv_kernel", "mamba_conv_kernel", "d_conv"}, 1, mostKernel, 4);
}

std::int64_t stateSize(ConfigFields& fields)
{
    return fields.required({"mamba_d_state", "ssm_state_size", "state_size", "d_state"}, 1, mostWidth);
}

/// Channels inside a state-space layer: given, or a multiple of the hidden size.
std::int64_t innerWidth(ConfigFields& fields, std::int64_t hidden)
{
    // In the pure state-space models intermediate_size is the inner width; in hybrids it is the feed-forward's.
    const bool pure = fields.isFamily({"mamba", "mamba2", "falcon_mamba"});
    const auto given = fields.count({"mamba_d_ssm", "d_inner"}, 1, mostWidth);
    const auto intermediate = pure ? fields.count({"intermediate_size"}, 1, mostWidth) : std::nullopt;
    return given ? *given : intermediate.value_or(hidden * fields.count({"mamba_expand", "expand"}, 1, 64, 2));
}

RecurrentLayer mamba1(ConfigFields& fields, std::int64_t hidden)
{
    const std::int64_t state = stateSize(fields);
    const std::int64_t inner = innerWidth(fields, hidden);
    const std::int64_t kernel = convolutionKernel(fields);
    const nlohmann::json* rank = fields.find({"mamba_dt_rank", "time_step_rank"});
    const std::int64_t deltaRank = rank != nullptr && rank->is_number()
        ? fields.count({"mamba_dt_rank", "time_step_rank"}, 1, mostWidth, 1)
        : ceilDivide(hidden, 16);
    return layerOf(Elements(inner) * state, Elements(inner) * (kernel - 1),
        mamba1Parameters(hidden, inner, state, kernel, deltaRank));
}

RecurrentLayer mamba2(ConfigFields& fields, std::int64_t hidden)
{
    const std::int64_t state = stateSize(fields);
    const std::int64_t groups = fields.count({"n_groups", "mamba_n_groups", "mamba_ngroups"}, 1, mostHeads, 1);
    const std::int64_t kernel = convolutionKernel(fields);
    auto heads = fields.count({"mamba_num_heads", "mamba_n_heads"}, 1, mostHeads);
    std::optional<std::int64_t> dim;
    const Keys widths{"mamba_head_dim", "mamba_d_head", "mamba_headdim"};
    // "auto" leaves the width to the inner width and the heads.
    if (const nlohmann::json* width = fields.find(widths); width != nullptr && !width->is_string()) {
        dim = fields.count(widths, 1, mostWidth);
    }
    if (fields.isFamily({"mamba2"})) {
        heads = fields.count({"num_heads"}, 1, mostHeads);
        dim = fields.count({"head_dim"}, 1, mostWidth);
    }
    if (!heads || !dim) {
        const std::int64_t inner = innerWidth(fields, hidden);
        if (!heads && !dim) {
            fields.fail(ErrorCode::Syntax, "mamba_num_heads", "mamba_num_heads is missing");
            return {};
        }
        const std::int64_t known = heads ? *heads : *dim;
        if (inner % known != 0) {
            fields.fail(ErrorCode::Inconsistent, "mamba_num_heads", "the Mamba heads do not divide the inner width");
            return {};
        }
        (heads ? dim : heads) = inner / known;
    }
    const Elements channels = Elements(*heads) * *dim + Elements(2) * groups * state;
    return layerOf(Elements(*heads) * *dim * state, channels * (kernel - 1),
        mamba2Parameters(hidden, *heads, *dim, groups, state, kernel));
}

bool isMamba2(ConfigFields& fields)
{
    return fields.isFamily({"mamba2"}) || fields.has({"mamba_num_heads", "mamba_n_heads", "mamba_headdim"});
}

/// Bytes an element of the state, where a key names its type.
std::int64_t stateElementBytes(ConfigFields& fields)
{
    const auto type = fields.text({"mamba_ssm_dtype", "mamba_ssm_cache_dtype"}).value_or("float32");
    return type == "bfloat16" || type == "float16" ? 2 : 4;
}

RecurrentLayer shapeOf(ConfigFields& fields, std::int64_t hidden)
{
    if (fields.has({"linear_num_value_heads"})) {
        return gatedDelta(fields, hidden);
    }
    if (fields.has({"linear_attn_config"})) {
        return kimiDelta(fields, hidden);
    }
    if (fields.has({"conv_L_cache"})) {
        return shortConvolution(fields, hidden);
    }
    if (fields.has({"lru_width"}) || fields.isFamily({"recurrent_gemma"})) {
        return griffin(fields, hidden);
    }
    if (fields.isFamily({"rwkv", "rwkv5", "rwkv6", "rwkv7"})) {
        return rwkv(fields, hidden);
    }
    if (fields.has({"attn_type_list"}) || fields.has({"layer_group_size"}) || fields.isFamily({"minimax"})) {
        return lightning(fields, hidden);
    }
    return isMamba2(fields) ? mamba2(fields, hidden) : mamba1(fields, hidden);
}

} // namespace

RecurrentLayer recurrentLayer(ConfigFields& fields, std::int64_t hidden)
{
    RecurrentLayer layer = shapeOf(fields, hidden);
    layer.state.stateElementBytes = stateElementBytes(fields);
    return layer;
}

} // namespace kvplan
