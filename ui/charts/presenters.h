// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"
#include "ui/charts/plot_data.h"

#include <QString>

namespace kvplan {

// One function a chart: a scenario and its plan become a picture's data. Pure; no widget is touched.

/// Capacity, what is taken from it line by line, and the pool with what is live, overhead and free in it.
PlotData memoryWaterfall(const Scenario& scenario, const Plan& plan);

/// Full sequences against context, log-log, with the ask as a point that drags context and concurrency.
PlotData contextCurves(const Scenario& scenario, const Plan& plan);

/// Bytes a token in every format the model's rows allow.
PlotData formatBars(const Scenario& scenario, const Plan& plan);

/// The unused tail of a sequence's last block against the block size, with its bound.
PlotData blockWaste(const Scenario& scenario, const Plan& plan);

/// Useful share of a static batch beside continuous batching.
PlotData batchingShare(const Scenario& scenario, const Plan& plan);

/// Time in system against arrival rate: hyperbolas of the asked and of the largest concurrency, and the point where the
/// asked one is at this time in system.
PlotData littlePlane(const Scenario& scenario, const Plan& plan, double timeInSystemSeconds);

/// Share of the pool over context and sequences, with the verdict's boundary.
PlotData fitMapChart(const Scenario& scenario, const Plan& plan);

/// Worst case, mean field and at a confidence side by side.
PlotData capacityBars(const Scenario& scenario, const Plan& plan);

/// The derivation as rich text; every factor links to the field whose key is the link's address.
QString derivation(const Scenario& scenario, const Plan& plan, const Theme& theme);

/// The facts a picture must carry to explain itself: model, attention, formats, card, parallelism, block, load.
QString factsLine(const Scenario& scenario, const Plan& plan);

} // namespace kvplan
