// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/pool_view.h"

#include <algorithm>
#include <limits>

namespace kvplan {

PoolView::PoolView(const Scenario& scenario, const Plan& plan)
    : m_scenario(scenario)
    , m_room(Percent(scenario.overheadPercent).takenOutOf(std::max(Bytes(0), plan.budget.usable)))
{
}

Admission PoolView::admitted(const Footprint& footprint, Tokens context) const
{
    const Bytes shared = footprint.prefix(sharedTokens(m_scenario, context), context);
    const Admission one = admit(m_room, footprint.sequence(context), shared, m_scenario.prefixGroups);
    return {checkedMultiply(one.whole, m_scenario.replicas), one.real * static_cast<double>(m_scenario.replicas)};
}

double PoolView::share(const Footprint& footprint, Tokens context, double sequences) const
{
    if (m_room.count() <= 0) {
        return std::numeric_limits<double>::infinity();
    }
    const double onReplica = sequences / static_cast<double>(m_scenario.replicas);
    const auto bytes = static_cast<double>(footprint.sequence(context).count());
    const auto shared = static_cast<double>(footprint.prefix(sharedTokens(m_scenario, context), context).count());
    const double tenants = std::min(onReplica, static_cast<double>(m_scenario.prefixGroups));
    return (tenants * shared + onReplica * (bytes - shared)) / static_cast<double>(m_room.count());
}

} // namespace kvplan
