// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled by CTest once for each case; all but CASE_nothing_wrong must be refused.
#include "core/units.h"

using namespace kvplan;

void use()
{
    [[maybe_unused]] Bytes bytes{1};
    [[maybe_unused]] Tokens tokens{2};
    [[maybe_unused]] Blocks blocks{3};
    [[maybe_unused]] Seconds seconds{4};
#if defined(CASE_nothing_wrong)
    bytes = bytes + bytes * 3;
#elif defined(CASE_add_bytes_to_tokens)
    bytes = bytes + tokens;
#elif defined(CASE_compare_blocks_with_tokens)
    [[maybe_unused]] bool less = blocks < tokens;
#elif defined(CASE_assign_number_to_bytes)
    bytes = 7;
#elif defined(CASE_seconds_to_bytes)
    bytes = seconds;
#elif defined(CASE_multiply_bytes_by_tokens)
    bytes = bytes * tokens;
#endif
}
