// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/lengths.h"

#include <QString>

/// The distribution of this text; the test ends where it is refused.
inline kvplan::LengthDistribution lengthsOf(const QString& text)
{
    const auto lengths = kvplan::LengthDistribution::parse(text.toStdString());
    if (!lengths) {
        qFatal("%s", lengths.error().sentence().c_str());
    }
    return *lengths;
}
