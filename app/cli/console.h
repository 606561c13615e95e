// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <string>
#include <string_view>

namespace kvplan::cli {

/// What the process says when it ends.
enum ExitCode { Success = 0, BadInput = 2, DoesNotFit = 3, Interrupted = 130, Terminated = 143 };

/// Text that stays on one line of a terminal: control characters and bytes that are not UTF-8 become U+FFFD.
std::string oneLine(std::string_view text);

/// Writes all of `text` to standard output. A reader who has gone away is no error; a full disk is.
Result<void> print(std::string_view text);

/// "kvplan: error: WHAT, WHERE; HOW TO MEND" on standard error; where and how default to the verb and its help.
ExitCode complain(const Error& error, std::string_view verb);

} // namespace kvplan::cli
