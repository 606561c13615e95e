// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/field_members.h"
#include "core/scenario/fields.h"

#include "core/model/weights.h"

#include <utility>

namespace kvplan {

Member member(Field field)
{
    using S = Scenario;
    switch (field) {
    case Field::Layers:
        return &S::layers;
    case Field::QueryHeads:
        return &S::queryHeads;
    case Field::KvHeads:
        return &S::kvHeads;
    case Field::HeadDim:
        return &S::headDim;
    case Field::ValueHeadDim:
        return &S::valueHeadDim;
    case Field::Window:
        return &S::windowTokens;
    case Field::GlobalEvery:
        return &S::globalEvery;
    case Field::MlaRank:
        return &S::mlaRank;
    case Field::MlaRopeDim:
        return &S::mlaRopeDim;
    case Field::ParametersB:
        return &S::parametersB;
    case Field::ActiveParametersB:
        return &S::activeParametersB;
    case Field::KeyFormat:
        return &S::keyFormat;
    case Field::ValueFormat:
        return &S::valueFormat;
    case Field::BlockSize:
        return &S::blockTokens;
    case Field::Context:
        return &S::contextTokens;
    case Field::MaxModelLen:
        return &S::maxModelLenTokens;
    case Field::Concurrency:
        return &S::concurrency;
    case Field::SharedPrefix:
        return &S::sharedPrefixTokens;
    case Field::PrefixGroups:
        return &S::prefixGroups;
    case Field::Prompt:
        return &S::prompt;
    case Field::Output:
        return &S::output;
    case Field::Confidence:
        return &S::confidence;
    case Field::CapacityGib:
        return &S::capacityGib;
    case Field::HeadroomPercent:
        return &S::headroomPercent;
    case Field::OverheadPercent:
        return &S::overheadPercent;
    case Field::EngineName:
        return &S::engine;
    case Field::KvPoolGib:
        return &S::kvPoolGib;
    case Field::WeightsGib:
        return &S::weightsGib;
    case Field::WeightFormat:
        return &S::weightFormat;
    case Field::ActivationGib:
        return &S::activationGib;
    case Field::GraphsGib:
        return &S::graphsGib;
    case Field::OtherGib:
        return &S::otherGib;
    case Field::MaxBatchedTokens:
        return &S::maxBatchedTokens;
    case Field::MaxSequences:
        return &S::maxSequences;
    case Field::TensorParallel:
        return &S::tensorParallel;
    case Field::PipelineParallel:
        return &S::pipelineParallel;
    case Field::DecodeContextParallel:
        return &S::decodeContextParallel;
    case Field::Replicas:
        return &S::replicas;
    }
    return &S::layers;
}

namespace {

const Architecture& exampleShape()
{
    static const Architecture shape = *resolveArchitecture(Scenario{});
    return shape;
}

const Architecture& shapeBelow(const Scenario& scenario)
{
    return scenario.model ? *scenario.model : exampleShape();
}

std::optional<double> positive(std::int64_t value)
{
    return value > 0 ? std::optional<double>(static_cast<double>(value)) : std::nullopt;
}

std::int64_t windowOf(const Architecture& architecture)
{
    for (const AttentionGroup& group : architecture.groups) {
        if (const auto* sliding = std::get_if<SlidingAttention>(&group.kind)) {
            return sliding->window.count();
        }
    }
    return 0;
}

std::optional<LatentAttention> latentOf(const Architecture& architecture)
{
    for (const AttentionGroup& group : architecture.groups) {
        if (const auto* latent = std::get_if<LatentAttention>(&group.kind)) {
            return *latent;
        }
    }
    return std::nullopt;
}

std::optional<double> weightsInForce(const Scenario& scenario)
{
    if (!scenario.model && !scenario.parametersB) {
        return std::nullopt;
    }
    const auto architecture = resolveArchitecture(scenario);
    if (!architecture) {
        return std::nullopt;
    }
    const auto bytes = weightBytes(*architecture, scenario.weightFormat.value_or(architecture->weightFormat));
    return bytes ? std::optional<double>(gib(*bytes)) : std::nullopt;
}

/// What stands in for a field that the scenario does not give.
std::optional<double> standIn(const Scenario& scenario, Field field)
{
    const Architecture& shape = shapeBelow(scenario);
    switch (field) {
    case Field::Layers:
        return positive(shape.layers);
    case Field::QueryHeads:
        return positive(shape.queryHeads);
    case Field::KvHeads:
        return positive(kvHeads(shape));
    case Field::HeadDim:
        return positive(keyDim(shape));
    case Field::ValueHeadDim:
        return scenario.headDim ? static_cast<double>(*scenario.headDim) : positive(valueDim(shape));
    case Field::Window:
        return static_cast<double>(windowOf(shape));
    case Field::GlobalEvery:
        return 0;
    case Field::MlaRank: {
        const auto latent = latentOf(shape);
        return latent ? static_cast<double>(latent->rank) : 0;
    }
    case Field::MlaRopeDim: {
        const auto latent = latentOf(shape);
        return latent ? static_cast<double>(latent->ropeDim) : 0;
    }
    case Field::ParametersB:
        return shape.parameters ? std::optional<double>(static_cast<double>(*shape.parameters) / 1e9) : std::nullopt;
    case Field::ActiveParametersB:
        return shape.activeParameters ? std::optional<double>(static_cast<double>(*shape.activeParameters) / 1e9)
                                      : std::nullopt;
    case Field::BlockSize:
        return 16;
    case Field::MaxModelLen:
        return static_cast<double>(scenario.contextTokens);
    case Field::CapacityGib:
        return scenario.accelerator ? gib(scenario.accelerator->capacity) : 80;
    case Field::HeadroomPercent:
        return weightsKnown(scenario) ? 0 : 25;
    case Field::WeightsGib:
        return weightsInForce(scenario);
    case Field::MaxBatchedTokens:
        return 8192;
    case Field::MaxSequences:
        return 1024;
    case Field::ActivationGib:
    case Field::GraphsGib:
    case Field::OtherGib:
        return 0;
    default:
        return std::nullopt;
    }
}

} // namespace

bool isGiven(const Scenario& scenario, Field field)
{
    static const Scenario defaults;
    return std::visit(
        [&](auto pointer) {
            if constexpr (requires { (scenario.*pointer).has_value(); }) {
                return (scenario.*pointer).has_value();
            } else {
                return scenario.*pointer != defaults.*pointer;
            }
        },
        member(field));
}

std::optional<double> effective(const Scenario& scenario, Field field)
{
    const std::optional<double> given = std::visit(
        [&](auto pointer) -> std::optional<double> {
            const auto& value = scenario.*pointer;
            if constexpr (requires { static_cast<double>(*value); }) {
                return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
            } else if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) {
                return static_cast<double>(value);
            } else {
                return std::nullopt;
            }
        },
        member(field));
    return given ? given : standIn(scenario, field);
}

void reset(Scenario& scenario, Field field)
{
    static const Scenario defaults;
    std::visit([&](auto pointer) { scenario.*pointer = defaults.*pointer; }, member(field));
}

void chooseModel(Scenario& scenario, std::optional<Architecture> model)
{
    scenario.model = std::move(model);
    for (const FieldSpec& field : fieldSpecs()) {
        if (field.group == FieldGroup::Model) {
            reset(scenario, field.field);
        }
    }
    reset(scenario, Field::WeightsGib);
    reset(scenario, Field::WeightFormat);
}

void chooseAccelerator(Scenario& scenario, std::optional<Accelerator> accelerator)
{
    scenario.accelerator = std::move(accelerator);
    reset(scenario, Field::CapacityGib);
}

} // namespace kvplan
