// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/measurement.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace kvplan {

/// A table of short texts: the first column names, the others hold figures.
struct FactTable {
    struct Row {
        QStringList cells;
        bool total = false;
        bool breach = false; ///< the last cell says that something is wrong
    };
    QStringList header;
    std::vector<Row> rows;
};

/// One bar of a share.
struct ShareBar {
    QString name;
    double share = 0; ///< of the full width, 0 to 1
    QString value;
    bool chosen = false; ///< the measured one; the others are what it is judged against
};

/// A step time beside what it is compared with.
struct StepTimes {
    std::vector<double> samplesMs;
    double medianMs = 0;
    double p10Ms = 0;
    double p90Ms = 0;
    double additiveMs = 0;
    double classicMs = 0;
};

/// What will be taken, before it is.
FactTable allocationTable(const AllocationPreview& preview);

/// Memory line by line in MiB: predicted, measured, difference; the total below.
FactTable memoryTable(const Measurement& measurement);

StepTimes stepTimes(const Measurement& measurement);

/// Achieved rates as shares of this machine's measured read rate.
std::vector<ShareBar> bandwidthBars(const Measurement& measurement);

FactTable checkTable(const Measurement& measurement);

/// "1.46 ms", "61 µs", "2.3 s"
QString timeText(double seconds);
/// "4.31 TB/s", "18.2 GB/s"
QString rateText(double bytesPerSecond);
/// "CPU · NAME · 12.0 of 16.0 GiB free"
QString deviceText(const DeviceInfo& device);

} // namespace kvplan
