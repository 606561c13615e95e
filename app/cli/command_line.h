// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/flags.h"

namespace kvplan::cli {

/// Whether these arguments ask for the command line: a verb or a flag comes first. Nothing at all, or names of files,
/// ask for the window.
bool isForCommandLine(const Arguments& arguments);

/// Runs the verb and returns the exit code of the process. Needs no display.
int runCommandLine(const Arguments& arguments);

} // namespace kvplan::cli
