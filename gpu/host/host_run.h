// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/host_session.h"
#include "gpu/host/mapping.h"
#include "gpu/measurement.h"

#include <optional>
#include <stop_token>
#include <string>

namespace kvplan {

/// One measurement on the CPU, from the first probe to the last figure. All memory it takes is its own.
class HostRun {
public:
    /// Fills in `measurement`, whose request, layers and predicted bytes are set.
    HostRun(Measurement& measurement, const AllocationPreview& preview, MeasureProgress progress, std::stop_token stop);

    /// Blocks until done, failed or stopped.
    Result<void> perform();

private:
    Result<void> probeDevice();
    Result<void> allocate();
    Result<void> verify();
    Result<void> findKernelRate();
    Result<void> timeSteps();
    Result<void> step();
    void accountMemory();
    void predict();

    double probeRead();
    Result<void> report(double share, const std::string& what) const;

    Measurement& m_result;
    const AllocationPreview& m_preview;
    MeasureProgress m_progress;
    std::stop_token m_stop;
    Bytes m_residentBefore;
    Mapping m_probeBuffer;
    std::size_t m_probeAt = 0;
    std::optional<HostSession> m_session;
};

} // namespace kvplan
