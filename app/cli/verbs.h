// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/console.h"
#include "app/cli/flags.h"
#include "core/error.h"

#include <functional>
#include <string_view>

namespace kvplan::cli {

/// One thing the command line can do. `run` gets what follows the verb and returns how the process ends; it writes to
/// standard output only when nothing failed.
struct Verb {
    std::string_view name;
    std::string_view purpose;
    Result<ExitCode> (*run)(const Arguments&);
};

Result<ExitCode> runPlan(const Arguments& arguments);
Result<ExitCode> runMeasure(const Arguments& arguments);
Result<ExitCode> runImport(const Arguments& arguments);
Result<ExitCode> runModels(const Arguments& arguments);
Result<ExitCode> runAccelerators(const Arguments& arguments);
Result<ExitCode> runFormats(const Arguments& arguments);
Result<ExitCode> runRender(const Arguments& arguments);

/// Parses the arguments and does the verb's work, or prints its help where that is asked for.
Result<ExitCode> answer(Flags& flags, const Arguments& arguments, const std::function<Result<ExitCode>()>& work);

/// print() as the last thing a verb does.
Result<ExitCode> printAndEnd(std::string_view text, ExitCode code = Success);

} // namespace kvplan::cli
