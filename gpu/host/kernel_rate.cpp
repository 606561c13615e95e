// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/kernel_rate.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace kvplan {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t mostTokens = 4096; // a longer stretch only repeats itself
constexpr int rounds = 5;
constexpr double roundSeconds = 0.02;

double flopsOfToken(const LayerShape& shape)
{
    return 2.0 * static_cast<double>(shape.queryHeads) * static_cast<double>(shape.keyDim + shape.valueDim);
}

double rateOfShape(const HostSession& session, std::size_t index, Bytes level2)
{
    const ShapeLayout& layout = session.layout().shapes[index];
    const LayerView layer = session.layer(index, 0);
    std::vector<SequenceView> views = session.sequences(index);
    views.resize(std::min(views.size(), static_cast<std::size_t>(2 * session.threads())));
    const std::int64_t tokens = std::min(views[0].end - views[0].begin, mostTokens);
    const std::int64_t cached
        = std::clamp<std::int64_t>(level2.count() / 4 / layout.blockBytes.count(), 1, layout.blocks.count());
    std::vector<std::int32_t> table(static_cast<std::size_t>(ceilDivide(tokens, layer.blockTokens)));
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(i) % cached);
    }
    std::ranges::fill(views, SequenceView{table.data(), 0, tokens});
    std::vector<WorkItem> items = splitWork(views, layer.blockTokens, session.threads());
    items.resize(std::min(items.size(), session.items(index).size())); // the workspace is made for so many
    const auto run = [&] {
        decodeLayer(layer, views, items, session.queries(), session.outputs(), session.partials(), session.threads());
    };
    run();
    std::vector<double> seconds;
    for (int round = 0; round < rounds; ++round) {
        const auto start = Clock::now();
        int runs = 0;
        double elapsed = 0;
        do {
            run();
            ++runs;
            elapsed = std::chrono::duration<double>(Clock::now() - start).count();
        } while (elapsed < roundSeconds);
        seconds.push_back(elapsed / runs);
    }
    std::ranges::nth_element(seconds, seconds.begin() + rounds / 2);
    std::int64_t attended = 0;
    for (const WorkItem& item : items) {
        attended += item.end - item.begin;
    }
    return flopsOfToken(layer.shape) * static_cast<double>(attended) / seconds[rounds / 2];
}

} // namespace

double kernelRate(const HostSession& session, Bytes level2)
{
    double flops = 0;
    double seconds = 0;
    for (std::size_t index = 0; index < session.layout().shapes.size(); ++index) {
        const ShapeLayout& layout = session.layout().shapes[index];
        if (layout.residentLayers > 0) {
            // The rate of a whole step: shapes weigh by the flops that it does in them.
            const SequenceView& view = session.sequences(index)[0];
            const double work
                = flopsOfToken(layout.shape) * static_cast<double>((view.end - view.begin) * layout.residentLayers);
            flops += work;
            seconds += work / rateOfShape(session, index, level2);
        }
    }
    return flops / seconds;
}

} // namespace kvplan
