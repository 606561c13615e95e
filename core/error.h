// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/units.h"

#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace kvplan {

enum class ErrorCode {
    InvalidValue, ///< not a value of the asked kind, or outside its range
    Inconsistent, ///< two inputs contradict each other
    NotFound,
    Ambiguous,
    Unreadable, ///< a file that cannot be opened or read
    Unwritable,
    TooLarge,
    Syntax, ///< a file that is not what it should be
    Unsupported,
    Overflow,
    OutOfMemory,
    Cancelled,
};

/// One thing that went wrong, in three parts a person can use: what, where, how to mend it. Each is a clause without a
/// capital letter or a full stop.
struct Error {
    ErrorCode code = ErrorCode::InvalidValue;
    std::string what;
    std::string where;
    std::string mend;

    /// "WHAT, WHERE; HOW TO MEND", leaving out the parts that are empty.
    std::string sentence() const;

    friend bool operator==(const Error&, const Error&) = default;
};

template <class T> using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(ErrorCode code, std::string what, std::string where, std::string mend)
{
    return tl::unexpected<Error>(Error{code, std::move(what), std::move(where), std::move(mend)});
}

/// The Error that stands for an OverflowError met while computing `what`.
Error overflowError(std::string what);

/// Runs `compute` (which returns a Result) and turns an OverflowError on the way into an Error.
template <class Compute> auto guarded(const char* what, Compute&& compute) -> decltype(compute())
{
    try {
        return std::forward<Compute>(compute)();
    } catch (const OverflowError&) {
        return tl::unexpected<Error>(overflowError(what));
    }
}

} // namespace kvplan
