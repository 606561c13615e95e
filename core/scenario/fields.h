// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvplan {

/// The inputs of a scenario that are numbers, choices or short texts. The model and the card as wholes are set on the
/// Scenario itself.
enum class Field {
    Layers,
    QueryHeads,
    KvHeads,
    HeadDim,
    ValueHeadDim,
    Window,
    GlobalEvery,
    MlaRank,
    MlaRopeDim,
    ParametersB,
    ActiveParametersB,
    KeyFormat,
    ValueFormat,
    BlockSize,
    Context,
    MaxModelLen,
    Concurrency,
    SharedPrefix,
    PrefixGroups,
    Prompt,
    Output,
    Confidence,
    CapacityGib,
    HeadroomPercent,
    OverheadPercent,
    EngineName,
    KvPoolGib,
    WeightsGib,
    WeightFormat,
    ActivationGib,
    GraphsGib,
    OtherGib,
    MaxBatchedTokens,
    MaxSequences,
    TensorParallel,
    PipelineParallel,
    DecodeContextParallel,
    Replicas,
};

enum class FieldKind { Integer, Real, Choice, Distribution };
enum class FieldGroup { Model, Cache, Workload, Accelerator, Engine, Parallelism };

/// How a control walks a field's range.
enum class Steps {
    Linear,
    PowersOfTwo, ///< stops at 1, 2, 4, …: the range spans decades
};

/// The one description of a field that sliders, the command line and scenario files share.
struct FieldSpec {
    Field field;
    std::string_view key; ///< the flag without its dashes, and the key in a scenario file
    FieldGroup group;
    FieldKind kind;
    std::string_view label; ///< "KV heads"
    std::string_view unit; ///< "tokens", "GiB", "%", or empty
    double minimum; ///< inclusive; meaningless for choices and distributions
    double maximum;
    Steps steps;
    double sliderMinimum; ///< where a slider's useful part lies; the box takes the whole range
    double sliderMaximum;
    std::string_view help; ///< one sentence
};

std::span<const FieldSpec> fieldSpecs();
const FieldSpec& spec(Field field);
const FieldSpec* findField(std::string_view key);

/// The names a Choice field accepts.
std::vector<std::string_view> choices(Field field);

/// Whether the scenario itself sets the field, rather than a model, a card or a default.
bool isGiven(const Scenario& scenario, Field field);

/// The number in force for an Integer or Real field, given or standing in; empty where nothing does (weights not
/// known, for instance).
std::optional<double> effective(const Scenario& scenario, Field field);

/// The value in force as text that setText reads back to the same value; empty where there is none.
std::string text(const Scenario& scenario, Field field);

/// Reads a value from text, as the command line and the boxes take it: "8192", "8,192", "32k", "1.5", "fp8",
/// "lognormal:1155,3500". On failure the scenario is as before.
Result<void> setText(Scenario& scenario, Field field, std::string_view value);

/// Sets an Integer (the number is whole) or Real field, checking its range. On failure the scenario is as before.
Result<void> setNumber(Scenario& scenario, Field field, double value);

/// Back to "not given", or to the default where the field always has a value.
void reset(Scenario& scenario, Field field);

/// Another model or card as a whole. What described the former one (shape and weights, or capacity) goes with it.
void chooseModel(Scenario& scenario, std::optional<Architecture> model);
void chooseAccelerator(Scenario& scenario, std::optional<Accelerator> accelerator);

} // namespace kvplan
