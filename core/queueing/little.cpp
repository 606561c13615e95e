// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/queueing/little.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

Result<void> check(const std::optional<double>& value, const char* name)
{
    if (value && !(std::isfinite(*value) && *value >= 0)) {
        return failure(ErrorCode::InvalidValue, fmt::format("{} of {} is not possible", name, *value), "Little's law",
            "give a finite number that is not negative");
    }
    return {};
}

} // namespace

Result<Little> littlesLaw(
    std::optional<double> inSystem, std::optional<double> ratePerSecond, std::optional<double> timeSeconds)
{
    for (const auto& checked :
        {check(inSystem, "a number in the system"), check(ratePerSecond, "a rate"), check(timeSeconds, "a time")}) {
        if (!checked) {
            return tl::unexpected<Error>(checked.error());
        }
    }
    const auto undefined = [](const char* what) {
        return failure(ErrorCode::InvalidValue, fmt::format("{} of 0 leaves the third figure open", what),
            "Little's law", "give a positive one");
    };
    if (ratePerSecond && timeSeconds) {
        const double product = *ratePerSecond * *timeSeconds;
        if (inSystem && std::abs(*inSystem - product) > 1e-9 * std::max(*inSystem, product)) {
            return failure(ErrorCode::Inconsistent,
                fmt::format("{:.6g} in the system is not {:.6g} a second times {:.6g} s = {:.6g}", *inSystem,
                    *ratePerSecond, *timeSeconds, product),
                "Little's law", "leave one of the three out");
        }
        return Little{product, *ratePerSecond, *timeSeconds};
    }
    if (inSystem && ratePerSecond) {
        if (*ratePerSecond == 0) {
            return undefined("a rate");
        }
        return Little{*inSystem, *ratePerSecond, *inSystem / *ratePerSecond};
    }
    if (inSystem && timeSeconds) {
        if (*timeSeconds == 0) {
            return undefined("a time");
        }
        return Little{*inSystem, *inSystem / *timeSeconds, *timeSeconds};
    }
    return failure(ErrorCode::InvalidValue, "fewer than two of the three figures are given", "Little's law",
        "give two of: number in the system, rate, time");
}

} // namespace kvplan
