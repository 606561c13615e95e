// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/units.h"

#include <cstdint>

namespace kvplan {

/// A percentage as an exact fraction: parts of 10⁸, so that 26.4 GiB is 24.0 GiB · 110 / 100 to the byte.
class Percent {
public:
    explicit Percent(double percent);

    /// ⌈bytes · percent / 100⌉
    Bytes of(Bytes bytes) const;
    /// ⌈bytes · (100 + percent) / 100⌉
    Bytes onTopOf(Bytes bytes) const;
    /// bytes / (1 + percent / 100), rounded down: what is left for the raw cache once its overhead is paid.
    Bytes takenOutOf(Bytes bytes) const;

private:
    std::int64_t m_parts = 0;
};

/// How many sequences a pool admits, whole and as a real number.
struct Admission {
    std::int64_t whole = 0;
    double real = 0;
};

/// Sequences of `sequence` bytes in `pool` bytes of raw cache. `shared` of each are the same for all of one tenant and
/// are paid once for each of `tenants`: B sequences need min(B, tenants)·shared + B·(sequence − shared). Nothing fits
/// in a pool of zero or less. sequence > shared ≥ 0.
Admission admit(Bytes pool, Bytes sequence, Bytes shared, std::int64_t tenants);

/// What B sequences need by the same rule.
Bytes bytesOf(std::int64_t sequences, Bytes sequence, Bytes shared, std::int64_t tenants);

} // namespace kvplan
