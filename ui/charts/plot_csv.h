// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_data.h"

#include <QString>

namespace kvplan {

/// What a chart shows as comma-separated rows: bar,from,to for bars; series,x,y for lines and the operating point;
/// column,row,value for a heat map. Fields are quoted where RFC 4180 asks for it.
QString plotCsv(const PlotData& data);

} // namespace kvplan
