// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/capacities.h"

#include "core/plan/admission.h"

#include <algorithm>

namespace kvplan {

namespace {

Result<void> addMix(Concurrency& result, const Scenario& scenario, const Footprint& footprint, Bytes pool)
{
    const auto residence = Residence::of({*scenario.prompt, *scenario.output});
    if (!residence) {
        return tl::unexpected<Error>(residence.error());
    }
    result.meanResidentTokens = residence->meanTokens();
    // Every sequence is taken to start with its tenant's prefix, which the pool holds once a tenant.
    const auto context = Tokens(scenario.contextTokens);
    const auto shared = static_cast<double>(footprint.prefix(sharedTokens(scenario, context), context).count());
    const double room = static_cast<double>(pool.count()) - shared * static_cast<double>(scenario.prefixGroups);

    std::vector<WeightedValue> bytes = residence->points();
    double mean = 0;
    for (WeightedValue& point : bytes) {
        point.value = std::max(footprint.sequence(point.value) - shared, 0.0);
        mean += point.value * point.weight;
    }
    const auto replicas = static_cast<double>(scenario.replicas);
    result.meanField = room > 0 && mean > 0 ? replicas * room / mean : 0;
    result.atConfidence = room > 0 ? scenario.replicas * sequencesAtConfidence(bytes, room, scenario.confidence) : 0;
    return {};
}

} // namespace

Result<Concurrency> capacities(const Scenario& scenario, const Footprint& footprint, Bytes pool)
{
    const auto context = Tokens(scenario.contextTokens);
    const Bytes sequence = footprint.sequence(context);
    if (sequence.count() <= 0) {
        return failure(ErrorCode::Unsupported, "this model caches nothing for a sequence", "model",
            "choose a model with attention or recurrent layers");
    }
    const Bytes shared = footprint.prefix(sharedTokens(scenario, context), context);
    const Admission full = admit(pool, sequence, shared, scenario.prefixGroups);

    Concurrency result;
    result.fullSequences = checkedMultiply(full.whole, scenario.replicas);
    result.worstCase = full.real * static_cast<double>(scenario.replicas);
    result.steadyState = result.worstCase;
    if (scenario.prompt && scenario.output) {
        if (auto mix = addMix(result, scenario, footprint, pool); !mix) {
            return tl::unexpected<Error>(mix.error());
        }
    }
    return result;
}

} // namespace kvplan
