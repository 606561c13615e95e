// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace kvplan::cli {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Bytes of the UTF-8 character at the start of `text`, or 0 where there is none.
std::size_t characterLength(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80 ? 1
        : lead < 0xC2                      ? 0
        : lead < 0xE0                      ? 2
        : lead < 0xF0                      ? 3
        : lead < 0xF5                      ? 4
                                           : 0;
    if (length > text.size()) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
            return 0;
        }
    }
    return length;
}

} // namespace

std::string oneLine(std::string_view text)
{
    std::string line;
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        const bool control = static_cast<unsigned char>(text.front()) < 0x20 || text.front() == 0x7F;
        line += length == 0 || control ? replacement : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return line;
}

Result<void> print(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written >= 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EPIPE) {
            return {};
        } else if (errno != EINTR) {
            return failure(ErrorCode::Unwritable, fmt::format("the answer cannot be written: {}", std::strerror(errno)),
                "standard output", "send it where there is room");
        }
    }
    return {};
}

ExitCode complain(const Error& error, std::string_view verb)
{
    Error full = error;
    if (full.where.empty()) {
        full.where = fmt::format("kvplan {}", verb);
    }
    if (full.mend.empty()) {
        full.mend = fmt::format("see kvplan {} --help", verb);
    }
    fmt::print(stderr, "kvplan: error: {}\n", oneLine(full.sentence()));
    return BadInput;
}

} // namespace kvplan::cli
