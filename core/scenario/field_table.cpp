// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/fields.h"

#include <algorithm>
#include <array>

namespace kvplan {

namespace {

using enum FieldGroup;
using enum FieldKind;
using enum Steps;

// field, key, group, kind, label, unit, minimum, maximum, steps, slider's minimum and maximum, help
constexpr std::array<FieldSpec, 38> table{{
    {Field::Layers, "layers", Model, Integer, "Layers", "", 1, 512, Linear, 1, 128, "Decoder layers of the model."},
    {Field::QueryHeads, "query-heads", Model, Integer, "Query heads", "", 1, 1024, PowersOfTwo, 1, 128,
        "Query heads of one layer; a multiple of the KV heads."},
    {Field::KvHeads, "kv-heads", Model, Integer, "KV heads", "", 1, 1024, PowersOfTwo, 1, 128,
        "Heads whose keys and values are cached; as many as query heads is MHA, one is MQA."},
    {Field::HeadDim, "head-dim", Model, Integer, "Head width", "", 1, 1024, PowersOfTwo, 32, 512,
        "Elements of one head's key."},
    {Field::ValueHeadDim, "v-head-dim", Model, Integer, "Value width", "", 1, 1024, PowersOfTwo, 32, 512,
        "Elements of one head's value where it differs from the key's."},
    {Field::Window, "window", Model, Integer, "Sliding window", "tokens", 0, 1e8, PowersOfTwo, 128, 131072,
        "Tokens that sliding layers look back; 0 switches the window off."},
    {Field::GlobalEvery, "global-every", Model, Integer, "Full every n-th layer", "", 0, 512, Linear, 0, 16,
        "Every n-th layer is full attention beside sliding ones; 0: none is."},
    {Field::MlaRank, "mla-rank", Model, Integer, "Latent rank", "", 0, 8192, PowersOfTwo, 64, 2048,
        "Multi-head latent attention: rank of the one latent a token and layer; 0 switches it off."},
    {Field::MlaRopeDim, "mla-rope-dim", Model, Integer, "Latent rope width", "", 0, 1024, PowersOfTwo, 16, 256,
        "Rotary elements cached beside the latent; 64 unless given."},
    {Field::ParametersB, "parameters-b", Model, Real, "Parameters", "10⁹", 0.001, 100000, PowersOfTwo, 0.125, 2048,
        "Parameters of the whole model, when not counted from its architecture."},
    {Field::ActiveParametersB, "active-parameters-b", Model, Real, "Active parameters", "10⁹", 0.001, 100000,
        PowersOfTwo, 0.125, 2048, "Parameters that one token touches."},
    {Field::KeyFormat, "k-format", Cache, Choice, "Key format", "", 0, 0, Linear, 0, 0,
        "Element format of cached keys."},
    {Field::ValueFormat, "v-format", Cache, Choice, "Value format", "", 0, 0, Linear, 0, 0,
        "Element format of cached values."},
    {Field::BlockSize, "block-size", Cache, Integer, "Block", "tokens", 1, 65536, PowersOfTwo, 1, 256,
        "Tokens in one block of the paged cache."},
    {Field::Context, "context", Workload, Integer, "Context", "tokens", 1, 1e8, PowersOfTwo, 512, 1048576,
        "Tokens in one full sequence."},
    {Field::MaxModelLen, "max-model-len", Workload, Integer, "Launched length", "tokens", 1, 1e8, PowersOfTwo, 512,
        1048576, "The longest sequence the engine is launched for; the context unless given."},
    {Field::Concurrency, "concurrency", Workload, Integer, "Sequences", "", 1, 1e6, PowersOfTwo, 1, 4096,
        "Active sequences asked for, over all replicas."},
    {Field::SharedPrefix, "shared-prefix", Workload, Integer, "Shared prefix", "tokens", 0, 1e8, PowersOfTwo, 16,
        131072, "Tokens that every sequence of a tenant starts with; whole blocks of them are kept once."},
    {Field::PrefixGroups, "prefix-groups", Workload, Integer, "Tenants", "", 1, 1e6, PowersOfTwo, 1, 1024,
        "Groups of sequences that share nothing with each other."},
    {Field::Prompt, "prompt", Workload, Distribution, "Prompt lengths", "tokens", 0, 0, Linear, 0, 0,
        "Distribution of prompt lengths, such as lognormal:1155,3500."},
    {Field::Output, "output", Workload, Distribution, "Output lengths", "tokens", 0, 0, Linear, 0, 0,
        "Distribution of output lengths, such as exponential:211."},
    {Field::Confidence, "confidence", Workload, Real, "Confidence", "", 0.5, 0.999999, Linear, 0.5, 0.999,
        "Probability with which the mix must fit."},
    {Field::CapacityGib, "capacity-gib", FieldGroup::Accelerator, Real, "Capacity", "GiB", 0.01, 100000, PowersOfTwo, 8,
        512, "Memory of one accelerator as the runtime sees it."},
    {Field::HeadroomPercent, "headroom-percent", FieldGroup::Accelerator, Real, "Headroom", "%", 0, 99.9, Linear, 0, 60,
        "Share of the capacity kept free; stands for the weights while they are not known."},
    {Field::OverheadPercent, "overhead-percent", FieldGroup::Accelerator, Real, "Overhead", "%", 0, 1000, Linear, 0, 50,
        "On top of the raw cache, for fragmentation and metadata."},
    {Field::EngineName, "engine", FieldGroup::Engine, Choice, "Engine", "", 0, 0, Linear, 0, 0,
        "Whose accounting rules the plan follows."},
    {Field::KvPoolGib, "kv-pool-gib", FieldGroup::Engine, Real, "Cache pool", "GiB", 0, 1e6, PowersOfTwo, 1, 512,
        "The cache pool of one accelerator, given outright; skips the budget."},
    {Field::WeightsGib, "weights-gib", FieldGroup::Engine, Real, "Weights", "GiB", 0, 1e6, PowersOfTwo, 1, 1024,
        "Weights of the whole model."},
    {Field::WeightFormat, "weight-format", FieldGroup::Engine, Choice, "Weight format", "", 0, 0, Linear, 0, 0,
        "Format the weights are held in."},
    {Field::ActivationGib, "activation-gib", FieldGroup::Engine, Real, "Activations", "GiB", 0, 1e5, Linear, 0, 16,
        "Peak of activations on one accelerator."},
    {Field::GraphsGib, "graphs-gib", FieldGroup::Engine, Real, "Graphs", "GiB", 0, 1e5, Linear, 0, 8,
        "CUDA graphs on one accelerator."},
    {Field::OtherGib, "other-gib", FieldGroup::Engine, Real, "Other", "GiB", 0, 1e5, Linear, 0, 16,
        "Everything else on one accelerator, other processes included."},
    {Field::MaxBatchedTokens, "max-batched-tokens", FieldGroup::Engine, Integer, "Batched tokens", "tokens", 1, 1e7,
        PowersOfTwo, 256, 65536, "The scheduler's cap on tokens in one step."},
    {Field::MaxSequences, "max-sequences", FieldGroup::Engine, Integer, "Sequence cap", "", 1, 1e6, PowersOfTwo, 1,
        4096, "The scheduler's cap on running sequences of one replica."},
    {Field::TensorParallel, "tp", Parallelism, Integer, "Tensor parallel", "×", 1, 1024, PowersOfTwo, 1, 32,
        "Accelerators that split every layer; KV heads are replicated below one a rank."},
    {Field::PipelineParallel, "pp", Parallelism, Integer, "Pipeline parallel", "×", 1, 256, PowersOfTwo, 1, 16,
        "Stages that split the layers; the tightest one binds."},
    {Field::DecodeContextParallel, "dcp", Parallelism, Integer, "Decode-context parallel", "×", 1, 256, PowersOfTwo, 1,
        16, "Tensor ranks that split the tokens of a sequence between them."},
    {Field::Replicas, "replicas", Parallelism, Integer, "Replicas", "×", 1, 1e5, PowersOfTwo, 1, 64,
        "Data-parallel copies of the whole deployment."},
}};

constexpr bool inOrder()
{
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (static_cast<std::size_t>(table[i].field) != i) {
            return false;
        }
    }
    return true;
}
static_assert(inOrder(), "the table follows the order of enum Field");

} // namespace

std::span<const FieldSpec> fieldSpecs()
{
    return table;
}

const FieldSpec& spec(Field field)
{
    return table[static_cast<std::size_t>(field)];
}

const FieldSpec* findField(std::string_view key)
{
    const auto* found = std::ranges::find(table, key, &FieldSpec::key);
    return found == table.end() ? nullptr : found;
}

} // namespace kvplan
