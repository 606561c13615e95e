// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/host_session.h"

namespace kvplan {

/// Flops a second of the session's decode kernel when its data stays in cache: the same shapes and lengths, with block
/// tables that go round a few blocks of at most a quarter of `level2`. Shapes count by their resident layers. The
/// outputs and partial results of the session are overwritten.
double kernelRate(const HostSession& session, Bytes level2);

} // namespace kvplan
