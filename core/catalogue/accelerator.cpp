// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/accelerator.h"

namespace kvplan {

std::string_view name(Basis basis)
{
    switch (basis) {
    case Basis::Known:
        return "known";
    case Basis::Computed:
        return "computed";
    case Basis::Estimated:
        return "estimated";
    case Basis::Measured:
        return "measured";
    }
    return "";
}

} // namespace kvplan
