// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kvplan {

/// Opens the window, on the file named by the arguments where there is one, and returns the exit code of the process.
/// Without a display it says so and what to do, and returns 2.
int openWindow(int argc, char* argv[]);

} // namespace kvplan
