// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_budget.h"

#include "core/plan/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace kvplan {

namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;

Bytes ofGib(double value)
{
    return bytesFromGib(value);
}

Banded estimated(Bytes bytes, Bytes low, Bytes high)
{
    return {bytes, low, high, Basis::Estimated};
}

/// Activation peak of a prefill step: 2 B · tokens · hidden · c, at least 70 MiB, and fp32 logits of every sequence,
/// twice. c = 11, 6.5, 5, 5 for TP 1, 2, 4, 8; twice that with experts. Logs spread from half to three times of it.
Banded activationOf(const EngineMemory& memory)
{
    constexpr std::array<double, 4> c{11, 6.5, 5, 5};
    const auto step = static_cast<std::size_t>(
        std::min(3.0, std::floor(std::log2(static_cast<double>(std::max<std::int64_t>(1, memory.tensor))))));
    const double factor = c[step] * (memory.experts ? 2 : 1);
    const double stream
        = 2.0 * static_cast<double>(memory.maxBatchedTokens.count()) * static_cast<double>(memory.hidden) * factor;
    const double logits = 8.0 * static_cast<double>(memory.maxSequences) * static_cast<double>(memory.vocabulary);
    const double bytes = std::max(stream, 70.0 * mib) + logits;
    return estimated(ofGib(bytes / bytesPerGib), ofGib(bytes / 2 / bytesPerGib), ofGib(bytes * 3 / bytesPerGib));
}

/// CUDA context, libraries and communication: 0.25 to 1.8 GiB on one card, about twice that with NCCL. Source: logs.
Banded nonTorchOf(const EngineMemory& memory)
{
    return memory.tensor * memory.pipeline > 1 ? estimated(ofGib(1.5), ofGib(0.5), ofGib(3.6))
                                               : estimated(ofGib(0.6), ofGib(0.15), ofGib(1.8));
}

Banded graphsEstimate()
{
    return estimated(ofGib(0.4), ofGib(0.2), ofGib(1.0));
}

Banded nothing()
{
    return {Bytes(0), Bytes(0), Bytes(0), Basis::Computed};
}

/// Takes lines from a capacity and sums what is left.
class Ledger {
public:
    Ledger(const Banded& capacity, std::string formula)
    {
        m_budget.capacity = capacity.bytes;
        m_budget.usable = capacity.bytes;
        push("capacity", capacity, std::move(formula));
    }

    void take(std::string name, const Banded& amount, std::string formula)
    {
        m_budget.usable -= amount.bytes;
        push(std::move(name), amount, std::move(formula));
    }

    Bytes left() const { return m_budget.usable; }
    Budget budget() && { return std::move(m_budget); }

private:
    void push(std::string name, const Banded& amount, std::string formula)
    {
        m_budget.lines.push_back(
            {std::move(name), amount.bytes, amount.low, amount.high, amount.basis, std::move(formula)});
    }

    Budget m_budget;
};

Ledger opened(const EngineMemory& memory)
{
    return {memory.capacity, "what the runtime sees of the card"};
}

std::string formulaOf(const std::optional<Banded>& given, std::string estimate)
{
    return given ? "given" : std::move(estimate);
}

void takeActivation(Ledger& ledger, const EngineMemory& memory)
{
    ledger.take("activations", memory.activation.value_or(activationOf(memory)),
        formulaOf(memory.activation,
            fmt::format("2 B × {} batched tokens × {} hidden × a factor of the model's kind and TP, and fp32 logits of "
                        "{} sequences twice",
                grouped(memory.maxBatchedTokens.count()), grouped(memory.hidden), grouped(memory.maxSequences))));
}

/// The same part of a banded figure.
Banded part(const Banded& whole, double fraction)
{
    const auto of = [&](Bytes bytes) {
        return Bytes(static_cast<std::int64_t>(std::llround(static_cast<double>(bytes.count()) * fraction)));
    };
    return {
        of(whole.bytes), of(whole.low), of(whole.high), whole.basis == Basis::Known ? Basis::Computed : whole.basis};
}

} // namespace

Banded exactly(Bytes bytes, Basis basis)
{
    return {bytes, bytes, bytes, basis};
}

double vllmFraction(const EngineVersion& version)
{
    return version < EngineVersion{0, 22, 0} ? 0.90 : 0.92;
}

double sglangFraction(Bytes capacity, std::int64_t tensor, std::int64_t pipeline)
{
    const double total = static_cast<double>(capacity.count()) / mib;
    struct Size {
        double gib;
        double chunk;
        double graphSequences;
    };
    constexpr std::array<Size, 4> sizes{{{20, 2048, 8}, {35, 2048, 24}, {60, 4096, 32}, {160, 8192, 256}}};
    Size size{0, 16384, 512};
    for (const Size& each : sizes) {
        if (total < each.gib * 1024) {
            size = each;
            break;
        }
    }
    const double ranks = static_cast<double>(checkedMultiply(tensor, pipeline));
    double left = 512 + 1.5 * size.chunk + 1024 * ranks / 8 + 2 * size.graphSequences;
    if (total > 60 * 1024) {
        left = std::max(left, 10.0 * 1024);
    }
    return std::max(0.0, std::round((total - left) / total * 1000) / 1000);
}

Budget vllmBudget(const EngineMemory& memory, const EngineVersion& version)
{
    const double fraction = memory.fraction.value_or(vllmFraction(version));
    const auto requested
        = static_cast<std::int64_t>(std::ceil(static_cast<double>(memory.capacity.bytes.count()) * fraction));
    const Bytes left = memory.capacity.bytes - Bytes(requested);
    Ledger ledger = opened(memory);
    ledger.take(
        "outside the fraction", exactly(left, Basis::Computed), fmt::format("capacity − ⌈capacity × {}⌉", fraction));
    ledger.take("weights", memory.weights, "on this rank");
    takeActivation(ledger, memory);
    if (version >= EngineVersion{0, 19, 0}) {
        ledger.take("CUDA graphs", memory.graphs.value_or(graphsEstimate()),
            formulaOf(memory.graphs, "profiled since 0.19: 0.2 to 1.0 GiB"));
    }
    Banded other = memory.other.value_or(nonTorchOf(memory));
    std::string formula = formulaOf(memory.other, "CUDA context, libraries, communication");
    if (version < EngineVersion{0, 8, 0} && memory.otherProcesses.count() > 0) {
        // V0 looked at free memory: what other processes hold counted as its own.
        for (Bytes* bytes : {&other.bytes, &other.low, &other.high}) {
            *bytes += memory.otherProcesses;
        }
        formula += ", and other processes on the card";
    }
    ledger.take("other", other, std::move(formula));
    return std::move(ledger).budget();
}

Budget sglangBudget(const EngineMemory& memory, const EngineVersion&)
{
    const double fraction
        = memory.fraction.value_or(sglangFraction(memory.capacity.bytes, memory.tensor, memory.pipeline));
    Ledger ledger = opened(memory);
    ledger.take("weights", memory.weights, "on this rank");
    ledger.take("other", memory.other.value_or(nonTorchOf(memory)),
        formulaOf(memory.other, "CUDA context, libraries, communication: taken before free memory is read"));
    if (memory.otherProcesses.count() > 0) {
        ledger.take("other processes", exactly(memory.otherProcesses, Basis::Known), "free memory is what is left");
    }
    ledger.take("outside the fraction", part(memory.capacity, 1 - fraction),
        fmt::format("capacity × (1 − {}): activations and CUDA graphs live here", fraction));
    return std::move(ledger).budget();
}

Budget tensorRtBudget(const EngineMemory& memory, const EngineVersion&)
{
    const double fraction = memory.fraction.value_or(0.9);
    Ledger ledger = opened(memory);
    ledger.take("weights", memory.weights, "on this rank");
    takeActivation(ledger, memory);
    ledger.take("CUDA graphs", memory.graphs.value_or(nothing()), formulaOf(memory.graphs, "captured after the pool"));
    ledger.take("other", memory.other.value_or(nonTorchOf(memory)),
        formulaOf(memory.other, "CUDA context, runtime and decoder buffers, communication"));
    if (memory.otherProcesses.count() > 0) {
        ledger.take("other processes", exactly(memory.otherProcesses, Basis::Known), "free memory is what is left");
    }
    const Bytes free = std::max(Bytes(0), ledger.left());
    ledger.take("outside the fraction", part(exactly(free, Basis::Computed), 1 - fraction),
        fmt::format("(1 − {}) of what is free once loaded", fraction));
    return std::move(ledger).budget();
}

Budget llamaCppBudget(const EngineMemory& memory, const EngineVersion&)
{
    Ledger ledger = opened(memory);
    ledger.take("weights", memory.weights, "on this device");
    takeActivation(ledger, memory);
    ledger.take("other", memory.other.value_or(nonTorchOf(memory)), formulaOf(memory.other, "CUDA context, libraries"));
    if (memory.otherProcesses.count() > 0) {
        ledger.take("other processes", exactly(memory.otherProcesses, Basis::Known), "given");
    }
    const Bytes margin
        = memory.fraction ? part(exactly(memory.capacity.bytes, Basis::Known), 1 - *memory.fraction).bytes : ofGib(1);
    ledger.take("margin", exactly(margin, Basis::Known), "1 GiB that --fit leaves, or what a given fraction leaves");
    return std::move(ledger).budget();
}

} // namespace kvplan
