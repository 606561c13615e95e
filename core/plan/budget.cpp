// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/budget.h"

#include "core/model/weights.h"
#include "core/plan/admission.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvplan {

namespace {

BudgetLine capacityLine(const Scenario& scenario)
{
    if (scenario.capacityGib || !scenario.accelerator) {
        const Bytes bytes = bytesFromGib(*effective(scenario, Field::CapacityGib));
        return {"capacity", bytes, bytes, bytes, Basis::Known,
            scenario.capacityGib ? "given, as the runtime sees it" : "80 GiB where no accelerator is named"};
    }
    const Accelerator& card = *scenario.accelerator;
    return {"capacity", card.capacity, card.capacityLow, card.capacityHigh, card.capacityBasis, card.capacitySource};
}

void addGiven(Budget& budget, const char* name, const std::optional<double>& value)
{
    if (value && *value > 0) {
        const Bytes bytes = bytesFromGib(*value);
        budget.lines.push_back({name, bytes, bytes, bytes, Basis::Known, fmt::format("{:.6g} GiB given", *value)});
        budget.usable -= bytes;
    }
}

} // namespace

std::optional<Weights> weightsOf(const Scenario& scenario, const Architecture& architecture)
{
    if (scenario.weightsGib) {
        return Weights{
            bytesFromGib(*scenario.weightsGib), Basis::Known, fmt::format("{:.6g} GiB given", *scenario.weightsGib)};
    }
    if (!weightsKnown(scenario)) {
        return std::nullopt;
    }
    const std::string format = text(scenario, Field::WeightFormat);
    const std::optional<Bytes> bytes = weightBytes(architecture, format);
    if (!bytes) {
        return std::nullopt;
    }
    const bool reshaped = scenario.model && scenario.layers && *scenario.layers != scenario.model->layers;
    const std::string parameters = architecture.parameters
        ? fmt::format("{:.4g}·10⁹", static_cast<double>(*architecture.parameters) / 1e9)
        : "all";
    return Weights{*bytes, reshaped ? Basis::Estimated : Basis::Computed,
        reshaped ? fmt::format("{} parameters in {}, scaled with the layers", parameters, format)
                 : fmt::format("{} parameters in {}", parameters, format)};
}

Budget simpleBudget(const Scenario& scenario, const Architecture& architecture)
{
    Budget budget;
    budget.lines.push_back(capacityLine(scenario));
    budget.capacity = budget.lines.front().bytes;
    if (scenario.kvPoolGib) {
        budget.usable = bytesFromGib(*scenario.kvPoolGib);
        const Bytes rest = std::max(Bytes(0), budget.capacity - budget.usable);
        budget.lines.push_back({"outside the pool", rest, rest, rest, Basis::Known,
            fmt::format("the pool is given: {:.6g} GiB", *scenario.kvPoolGib)});
        return budget;
    }
    budget.usable = budget.capacity;
    if (const auto weights = weightsOf(scenario, architecture)) {
        const std::int64_t ranks = scenario.tensorParallel * scenario.pipelineParallel;
        const Bytes bytes(ceilDivide(weights->bytes.count(), ranks));
        budget.lines.push_back({"weights", bytes, bytes, bytes, weights->basis,
            ranks > 1 ? fmt::format("{} / {} accelerators", weights->formula, ranks) : weights->formula});
        budget.usable -= bytes;
    }
    addGiven(budget, "activations", scenario.activationGib);
    addGiven(budget, "graphs", scenario.graphsGib);
    addGiven(budget, "other", scenario.otherGib);
    const double percent = *effective(scenario, Field::HeadroomPercent);
    if (percent > 0) {
        const Bytes headroom = Percent(percent).of(budget.capacity);
        budget.lines.push_back({"headroom", headroom, headroom, headroom, Basis::Computed,
            fmt::format("{:.6g} % of {:.2f} GiB", percent, gib(budget.capacity))});
        budget.usable -= headroom;
    }
    return budget;
}

} // namespace kvplan
