// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/queueing/static_batch.h"

#include <boost/math/special_functions/digamma.hpp>

#include <numbers>

namespace kvplan {

double harmonic(std::int64_t batch)
{
    return boost::math::digamma(static_cast<double>(batch) + 1) + std::numbers::egamma;
}

double usefulShareExponential(std::int64_t batch)
{
    return 1 / harmonic(batch);
}

double usefulShare(const LengthDistribution& output, std::int64_t batch)
{
    return output.mean() / output.meanOfLongest(batch);
}

} // namespace kvplan
