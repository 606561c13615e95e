// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/error.h"

#include <cmath>

namespace kvplan {

std::string Error::sentence() const
{
    std::string text = what;
    if (!where.empty()) {
        text += ", " + where;
    }
    if (!mend.empty()) {
        text += "; " + mend;
    }
    return text;
}

Error overflowError(std::string what)
{
    return Error{ErrorCode::Overflow, std::move(what) + " is larger than 64 bits can count (9.2e18)", "",
        "lower the context, the concurrency or the number of layers"};
}

Bytes bytesFromGib(double value)
{
    const double bytes = std::round(value * static_cast<double>(bytesPerGib));
    if (!(std::abs(bytes) < 0x1p63)) {
        throw OverflowError();
    }
    return Bytes(static_cast<std::int64_t>(bytes));
}

} // namespace kvplan
