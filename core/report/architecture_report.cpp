// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/architecture_report.h"

#include "core/cache/group_bytes.h"
#include "core/model/weights.h"
#include "core/plan/words.h"
#include "core/report/architecture_figures.h"
#include "core/report/columns.h"
#include "core/report/json_number.h"

#include <fmt/format.h>

#include <cmath>

namespace kvplan {

namespace {

using nlohmann::ordered_json;

template <class Value> ordered_json orNull(const std::optional<Value>& value)
{
    return value ? ordered_json(*value) : ordered_json();
}

ordered_json positiveOrNull(std::int64_t value)
{
    return value > 0 ? ordered_json(value) : ordered_json();
}

void addShape(GroupFigures& figures, const AttentionKind& kind)
{
    std::visit(
        [&](const auto& k) {
            if constexpr (requires { k.kvHeads; }) {
                figures.kvHeads = k.kvHeads;
                figures.keyDim = k.keyDim;
                figures.valueDim = k.valueDim;
            } else if constexpr (requires { k.ropeDim; }) {
                figures.kvHeads = 1;
                figures.keyDim = k.rank + k.ropeDim;
                figures.valueDim = 0;
            } else if constexpr (requires { k.entryDim; }) {
                figures.kvHeads = 1;
                figures.keyDim = k.entryDim;
                figures.valueDim = 0;
            }
            if constexpr (requires { k.window; }) {
                figures.window = k.window.count();
            } else if constexpr (requires { k.chunk; }) {
                figures.window = k.chunk.count();
            }
        },
        kind);
}

ordered_json groupJson(const AttentionGroup& group, CacheFormat format)
{
    const GroupFigures figures = figuresOf(group, format);
    ordered_json object = {
        {"kind", kindName(group.kind)},
        {"count", group.layers},
        {"kv_heads", orNull(figures.kvHeads)},
        {"k_head_dim", orNull(figures.keyDim)},
        {"v_head_dim", orNull(figures.valueDim)},
        {"window_tokens", orNull(figures.window)},
    };
    if (const auto* latent = std::get_if<LatentAttention>(&group.kind)) {
        object["rank"] = latent->rank;
        object["rope_dim"] = latent->ropeDim;
    }
    if (figures.state) {
        object["state_bytes"] = figures.state->count();
    } else {
        object["bytes_per_token"] = jsonNumber(*figures.bytesPerToken);
    }
    return object;
}

std::string groupsText(const Architecture& architecture)
{
    Columns columns({Align::Right, Align::Left, Align::Left, Align::Left, Align::Right});
    const auto format = defaultFormat(architecture);
    for (const AttentionGroup& group : architecture.groups) {
        const GroupFigures figures = figuresOf(group, format);
        std::string shape;
        if (figures.kvHeads && figures.valueDim == 0) {
            shape = fmt::format("one tensor of {}", *figures.keyDim);
        } else if (figures.kvHeads && figures.keyDim == figures.valueDim) {
            shape = fmt::format("{} KV heads of {}", *figures.kvHeads, *figures.keyDim);
        } else if (figures.kvHeads) {
            shape = fmt::format("{} KV heads of {} (values {})", *figures.kvHeads, *figures.keyDim, *figures.valueDim);
        }
        columns.add({fmt::format("{} ×", group.layers), std::string(kindName(group.kind)), shape,
            figures.window.value_or(0) > 0 ? grouped(*figures.window) + " tokens" : "",
            figures.state ? bytesText(*figures.state) + " a sequence"
                          : fmt::format("{} B a token", grouped(std::llround(*figures.bytesPerToken)))});
    }
    return columns.text();
}

std::string billions(const std::optional<std::int64_t>& count)
{
    return count ? fmt::format("{:.4g} × 10⁹", static_cast<double>(*count) / 1e9) : "not known";
}

Result<void> checkDefaultFormat(const Architecture& architecture)
{
    const CacheFormat format = defaultFormat(architecture);
    return checkFormats(architecture, {format, format});
}

} // namespace

CacheFormat defaultFormat(const Architecture& architecture)
{
    return architecture.cacheFormat.value_or(CacheFormat::Bf16);
}

GroupFigures figuresOf(const AttentionGroup& group, CacheFormat format)
{
    GroupFigures figures;
    addShape(figures, group.kind);
    const LayerCost cost = layerCost(group.kind, {format, format}, {});
    if (cost.fixed.count() > 0) {
        figures.state = cost.fixed * group.layers;
    } else {
        const Bytes window = cost.perToken * group.layers;
        const Bytes entries = cost.perEntry * group.layers;
        figures.bytesPerToken = static_cast<double>(window.count())
            + static_cast<double>(entries.count()) / static_cast<double>(cost.compression);
    }
    return figures;
}

std::optional<Bytes> weightsOfCheckpoint(const Architecture& architecture)
{
    return architecture.weightsBytes ? architecture.weightsBytes : weightBytes(architecture, architecture.weightFormat);
}

ordered_json architectureObject(const Architecture& architecture)
{
    const CacheFormat format = defaultFormat(architecture);
    ordered_json groups = ordered_json::array();
    double bytesPerToken = 0;
    for (const AttentionGroup& group : architecture.groups) {
        groups.push_back(groupJson(group, format));
        bytesPerToken += figuresOf(group, format).bytesPerToken.value_or(0);
    }
    const auto weights = weightsOfCheckpoint(architecture);
    return {
        {"name", architecture.name},
        {"layers", architecture.layers},
        {"query_heads", positiveOrNull(architecture.queryHeads)},
        {"attention", groups},
        {"attention_name", attentionName(architecture)},
        {"all_layers_bytes_per_token", jsonNumber(bytesPerToken)},
        {"parameters", orNull(architecture.parameters)},
        {"active_parameters", orNull(architecture.activeParameters)},
        {"weight_format", architecture.weightFormat.empty() ? ordered_json() : ordered_json(architecture.weightFormat)},
        {"weights_bytes", weights ? ordered_json(weights->count()) : ordered_json()},
        {"default_kv_format", name(format)},
        {"max_position", architecture.maxPosition ? ordered_json(architecture.maxPosition->count()) : ordered_json()},
        {"hidden", positiveOrNull(architecture.hidden)},
        {"vocabulary", positiveOrNull(architecture.vocabulary)},
        {"source", architecture.source},
        {"warnings", architecture.warnings},
    };
}

Result<std::string> architectureJson(const Architecture& architecture)
{
    return guarded("the model's cache", [&]() -> Result<std::string> {
        return checkDefaultFormat(architecture).map([&] { return jsonText(architectureObject(architecture)); });
    });
}

Result<std::string> architectureText(const Architecture& architecture)
{
    return guarded("the model's cache", [&]() -> Result<std::string> {
        if (auto valid = checkDefaultFormat(architecture); !valid) {
            return tl::unexpected<Error>(valid.error());
        }
        const auto weights = weightsOfCheckpoint(architecture);
        Columns facts({Align::Left, Align::Left});
        facts.add({"parameters", billions(architecture.parameters)});
        facts.add({"active", billions(architecture.activeParameters)});
        facts.add({"weights", weights ? bytesText(*weights) + " " + architecture.weightFormat : "not known"});
        facts.add({"longest context",
            architecture.maxPosition ? grouped(architecture.maxPosition->count()) + " tokens" : "not known"});
        std::string text = fmt::format("{}: {} layers, {}, {} query heads\n\nCache in {}\n{}\nModel\n{}",
            architecture.name, architecture.layers, attentionName(architecture), architecture.queryHeads,
            name(defaultFormat(architecture)), groupsText(architecture), facts.text());
        if (!architecture.warnings.empty()) {
            text += "\nWarnings\n";
            for (const std::string& warning : architecture.warnings) {
                text += fmt::format("  - {}\n", warning);
            }
        }
        return text;
    });
}

} // namespace kvplan
