// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/catalogue_report.h"

#include "core/cache/format.h"
#include "core/plan/words.h"
#include "core/report/architecture_figures.h"
#include "core/report/columns.h"
#include "core/report/json_number.h"

#include <fmt/format.h>

#include <cmath>

namespace kvplan {

namespace {

using enum Align;
using nlohmann::ordered_json;

ordered_json published(double figure)
{
    return figure > 0 ? jsonNumber(figure) : ordered_json();
}

std::string publishedText(double figure, double unit)
{
    return figure > 0 ? fmt::format("{:.4g}", figure / unit) : "-";
}

ordered_json acceleratorObject(const Accelerator& card)
{
    return {
        {"name", card.name},
        {"vendor", card.vendor},
        {"architecture", card.architecture},
        {"marketed_gb", published(card.marketedGb)},
        {"driver_bytes", card.driverBytes.count() > 0 ? ordered_json(card.driverBytes.count()) : ordered_json()},
        {"capacity_bytes", card.capacity.count()},
        {"capacity_low_bytes", card.capacityLow.count()},
        {"capacity_high_bytes", card.capacityHigh.count()},
        {"capacity_basis", name(card.capacityBasis)},
        {"capacity_source", card.capacitySource},
        {"bandwidth_bytes_per_s", published(card.bandwidthBytesPerSecond)},
        {"bf16_flops_per_s", published(card.bf16FlopsPerSecond)},
        {"fp16_flops_per_s", published(card.fp16FlopsPerSecond)},
        {"fp8_flops_per_s", published(card.fp8FlopsPerSecond)},
        {"int8_ops_per_s", published(card.int8OpsPerSecond)},
        {"source", card.source},
    };
}

std::string perTokenText(const Architecture& model)
{
    double bytes = 0;
    for (const AttentionGroup& group : model.groups) {
        bytes += figuresOf(group, defaultFormat(model)).bytesPerToken.value_or(0);
    }
    return grouped(std::llround(bytes));
}

} // namespace

Result<std::string> modelsJson(std::span<const Architecture> models)
{
    return guarded("a model's cache", [&]() -> Result<std::string> {
        ordered_json list = ordered_json::array();
        for (const Architecture& model : models) {
            list.push_back(architectureObject(model));
        }
        return jsonText({{"models", list}});
    });
}

Result<std::string> modelsText(std::span<const Architecture> models)
{
    return guarded("a model's cache", [&]() -> Result<std::string> {
        Columns columns({Left, Right, Right, Left, Right, Right});
        columns.add({"model", "layers", "B a token", "attention", "10⁹ parameters", "longest context"});
        for (const Architecture& model : models) {
            columns.add({model.name, grouped(model.layers), perTokenText(model), attentionName(model),
                model.parameters ? fmt::format("{:.4g}", static_cast<double>(*model.parameters) / 1e9) : "-",
                model.maxPosition ? grouped(model.maxPosition->count()) : "-"});
        }
        return columns.text("");
    });
}

std::string acceleratorsJson(std::span<const Accelerator> accelerators)
{
    ordered_json list = ordered_json::array();
    for (const Accelerator& card : accelerators) {
        list.push_back(acceleratorObject(card));
    }
    return jsonText({{"accelerators", list}});
}

std::string acceleratorsText(std::span<const Accelerator> accelerators)
{
    Columns columns({Left, Right, Right, Left, Right, Right, Right});
    columns.add({"accelerator", "sold as GB", "usable", "basis", "GB/s", "bf16 TFLOP/s", "fp8 TFLOP/s"});
    for (const Accelerator& card : accelerators) {
        columns.add({card.name, publishedText(card.marketedGb, 1), bytesText(card.capacity),
            std::string(name(card.capacityBasis)), publishedText(card.bandwidthBytesPerSecond, 1e9),
            publishedText(card.bf16FlopsPerSecond, 1e12), publishedText(card.fp8FlopsPerSecond, 1e12)});
    }
    return columns.text("");
}

std::string formatsJson()
{
    ordered_json list = ordered_json::array();
    for (const CacheFormatInfo& format : cacheFormats()) {
        list.push_back({
            {"name", format.name},
            {"bytes_per_element", jsonNumber(format.bytesPerElement())},
            {"group_elements", format.groupElements},
            {"group_bytes", format.groupBytes},
            {"row_scale_bytes", format.rowScaleBytes},
            {"source", format.source},
        });
    }
    return jsonText({{"formats", list}});
}

std::string formatsText()
{
    Columns columns({Left, Right, Right, Right, Left});
    columns.add({"format", "B an element", "width in steps of", "B a token and head", "source"});
    for (const CacheFormatInfo& format : cacheFormats()) {
        columns.add(
            {std::string(format.name), fmt::format("{:.6g}", format.bytesPerElement()), grouped(format.groupElements),
                format.rowScaleBytes > 0 ? grouped(format.rowScaleBytes) : "-", std::string(format.source)});
    }
    return columns.text("");
}

} // namespace kvplan
