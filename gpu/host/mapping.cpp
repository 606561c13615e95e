// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/mapping.h"

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace kvplan {

namespace {

constexpr std::int64_t hugePage = std::int64_t{2} << 20;

std::int64_t roundUp(std::int64_t value, std::int64_t multiple)
{
    return checkedMultiply(ceilDivide(value, multiple), multiple);
}

} // namespace

Result<Mapping> Mapping::create(Bytes size, bool hugePages)
{
    Mapping mapping;
    mapping.m_size = size;
    mapping.m_mapped = Bytes(roundUp(std::max<std::int64_t>(size.count(), 1), sysconf(_SC_PAGESIZE)));
    // Room to align, and a page that stays inaccessible on each side.
    mapping.m_reservedSize = static_cast<std::size_t>((mapping.m_mapped + Bytes(2 * hugePage)).count());
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* reserved = mmap(nullptr, mapping.m_reservedSize, PROT_NONE, flags, -1, 0);
    if (reserved == MAP_FAILED) {
        return failure(ErrorCode::OutOfMemory,
            fmt::format("the system refused {:.2f} GiB ({})", gib(size), std::strerror(errno)), "measure",
            "lower the concurrency, the context or the resident layers");
    }
    mapping.m_reserved = reserved;
    const auto start = reinterpret_cast<std::uintptr_t>(reserved);
    const auto aligned = static_cast<std::uintptr_t>(roundUp(static_cast<std::int64_t>(start) + 1, hugePage));
    mapping.m_data = static_cast<std::byte*>(reserved) + (aligned - start);
    const auto length = static_cast<std::size_t>(mapping.m_mapped.count());
    if (mprotect(mapping.m_data, length, PROT_READ | PROT_WRITE) != 0) {
        return failure(ErrorCode::OutOfMemory,
            fmt::format("the system refused {:.2f} GiB ({})", gib(size), std::strerror(errno)), "measure",
            "lower the concurrency, the context or the resident layers");
    }
    if (hugePages) {
        madvise(mapping.m_data, length, MADV_HUGEPAGE); // a wish: without it the pages are small
    }
    return mapping;
}

Mapping::Mapping(Mapping&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr))
    , m_size(std::exchange(other.m_size, Bytes()))
    , m_mapped(std::exchange(other.m_mapped, Bytes()))
    , m_reserved(std::exchange(other.m_reserved, nullptr))
    , m_reservedSize(std::exchange(other.m_reservedSize, 0))
{
}

Mapping& Mapping::operator=(Mapping&& other) noexcept
{
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    std::swap(m_mapped, other.m_mapped);
    std::swap(m_reserved, other.m_reserved);
    std::swap(m_reservedSize, other.m_reservedSize);
    return *this;
}

Mapping::~Mapping()
{
    if (m_reserved != nullptr) {
        munmap(m_reserved, m_reservedSize);
    }
}

std::optional<Mapping::Resident> Mapping::resident() const
{
    std::ifstream smaps("/proc/self/smaps");
    const std::string range = fmt::format("{:x}-{:x} ", reinterpret_cast<std::uintptr_t>(m_data),
        reinterpret_cast<std::uintptr_t>(m_data) + static_cast<std::uintptr_t>(m_mapped.count()));
    std::string line;
    while (std::getline(smaps, line)) {
        // Leading zeros are printed only below 8 digits, which no 64-bit mapping has.
        if (line.rfind(range, 0) != 0) {
            continue;
        }
        Resident resident;
        while (std::getline(smaps, line)) {
            std::istringstream words(line);
            std::string key;
            std::int64_t kib = 0;
            words >> key >> kib;
            if (key == "Rss:") {
                resident.total = Bytes(kib * 1024);
            } else if (key == "AnonHugePages:") {
                resident.hugePages = Bytes(kib * 1024);
            } else if (key == "VmFlags:") {
                return resident;
            }
        }
    }
    return std::nullopt;
}

} // namespace kvplan
