// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/admission.h"

#include <algorithm>
#include <cmath>

namespace kvplan {

namespace {

__extension__ typedef __int128 Wide;

constexpr std::int64_t whole = 100'000'000;

Bytes narrow(Wide value)
{
    const auto result = static_cast<std::int64_t>(value);
    if (result != value) {
        throw OverflowError();
    }
    return Bytes(result);
}

} // namespace

Percent::Percent(double percent)
    : m_parts(std::llround(percent * (whole / 100)))
{
}

Bytes Percent::of(Bytes bytes) const
{
    return narrow((Wide{bytes.count()} * m_parts + whole - 1) / whole);
}

Bytes Percent::onTopOf(Bytes bytes) const
{
    return narrow((Wide{bytes.count()} * (whole + m_parts) + whole - 1) / whole);
}

Bytes Percent::takenOutOf(Bytes bytes) const
{
    return narrow(Wide{bytes.count()} * whole / (whole + m_parts));
}

Admission admit(Bytes pool, Bytes sequence, Bytes shared, std::int64_t tenants)
{
    if (pool.count() <= 0) {
        return {};
    }
    const double alone = ratio(pool, sequence);
    if (shared.count() == 0 || alone <= static_cast<double>(tenants)) {
        return {pool.count() / sequence.count(), alone};
    }
    const Bytes own = sequence - shared;
    const Bytes left = pool - shared * tenants;
    return {std::max(tenants, left.count() / own.count()), ratio(left, own)};
}

Bytes bytesOf(std::int64_t sequences, Bytes sequence, Bytes shared, std::int64_t tenants)
{
    return shared * std::min(sequences, tenants) + (sequence - shared) * sequences;
}

} // namespace kvplan
