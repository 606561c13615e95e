// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/units.h"
#include "ui/charts/plot_data.h"

#include <QString>

#include <vector>

namespace kvplan {

/// Three significant digits, thousands grouped: "54", "1,234", "0.368", "26.4".
QString significant(double value);

/// A tick's figure: at most four digits, without zeros that say nothing.
QString tickText(double value);

/// 1024 → "1k", 131072 → "128k", 1048576 → "1M"; other values plainly.
QString binaryThousands(double value);

/// A value in GiB with one decimal, without its unit: "26.4".
QString gibNumber(Bytes bytes);

/// Powers of two from `low` to `high`, every `stride`-th of them named by binaryThousands.
std::vector<Tick> powerOfTwoTicks(double low, double high, int stride = 1);

/// Powers of ten from `low` to `high`.
std::vector<Tick> decadeTicks(double low, double high);

/// About `count` round values from 0 to `high`.
std::vector<Tick> linearTicks(double high, int count = 5);

} // namespace kvplan
