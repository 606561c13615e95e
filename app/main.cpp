// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/open_window.h"

int main(int argc, char* argv[])
{
    const kvplan::cli::Arguments arguments(argv + 1, argv + argc);
    return kvplan::cli::isForCommandLine(arguments) ? kvplan::cli::runCommandLine(arguments)
                                                    : kvplan::openWindow(argc, argv);
}
