// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace kvplan {

namespace fs = std::filesystem;

Result<std::string> readTextFile(const fs::path& path, std::int64_t limit, std::string_view what)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) {
        return failure(ErrorCode::NotFound, "there is no such file", path.string(), "check the path");
    }
    if (fs::is_directory(status)) {
        return failure(
            ErrorCode::Unreadable, "this is a folder", path.string(), fmt::format("give the file of {}", what));
    }
    if (!fs::is_regular_file(status)) {
        return failure(ErrorCode::Unreadable, "this is not a regular file", path.string(),
            fmt::format("give the file of {}", what));
    }
    const auto size = fs::file_size(path, error);
    if (error) {
        return failure(ErrorCode::Unreadable, "the file cannot be read: " + error.message(), path.string(),
            "check its permissions");
    }
    if (size > static_cast<std::uintmax_t>(limit)) {
        return failure(ErrorCode::TooLarge,
            fmt::format("the file has {} MiB and {} has at most {}", size >> 20, what, limit >> 20), path.string(),
            "give the right file");
    }
    std::ifstream stream(path, std::ios::binary);
    std::string text(static_cast<std::size_t>(size), '\0');
    if (!stream || !stream.read(text.data(), static_cast<std::streamsize>(text.size()))) {
        return failure(ErrorCode::Unreadable, fmt::format("the file cannot be read: {}", std::strerror(errno)),
            path.string(), "check its permissions");
    }
    return text;
}

Result<void> writeFile(const fs::path& path, std::string_view content)
{
    const auto unwritable = [&](const std::string& reason) {
        return failure(ErrorCode::Unwritable, "the file cannot be written: " + reason, path.string(),
            "choose a folder you may write to");
    };
    std::error_code error;
    if (fs::is_directory(path, error)) {
        return unwritable("it is a folder");
    }
    if (const fs::file_status there = fs::status(path, error); fs::exists(there) && !fs::is_regular_file(there)) {
        return unwritable("it is not a regular file");
    }
    fs::path target = path;
    if (fs::is_symlink(path, error)) {
        if (const fs::path real = fs::weakly_canonical(path, error); !error) {
            target = real;
        }
    }
    fs::path beside = target;
    beside += fmt::format(".{}.part", ::getpid());
    {
        std::ofstream stream(beside, std::ios::binary | std::ios::trunc);
        if (!stream) {
            return unwritable(std::strerror(errno));
        }
        stream.write(content.data(), static_cast<std::streamsize>(content.size()));
        stream.close();
        if (!stream) {
            const std::string reason = std::strerror(errno);
            fs::remove(beside, error);
            return unwritable(reason);
        }
    }
    if (const fs::file_status old = fs::status(target, error); fs::exists(old)) {
        fs::permissions(beside, old.permissions(), error);
    }
    fs::rename(beside, target, error);
    if (error) {
        const std::string reason = error.message();
        std::error_code ignored;
        fs::remove(beside, ignored);
        return unwritable(reason);
    }
    return {};
}

} // namespace kvplan
