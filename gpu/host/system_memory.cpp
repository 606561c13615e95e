// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/system_memory.h"

#include <oneapi/tbb/info.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

namespace kvplan {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// The first number in a file; "max" and what cannot be read are empty.
std::optional<std::int64_t> number(const fs::path& path)
{
    std::ifstream file(path);
    std::int64_t value = 0;
    if (file >> value) {
        return value;
    }
    return std::nullopt;
}

/// The number after `key` in a file of "key value" lines.
std::int64_t entry(const fs::path& path, const std::string& key)
{
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string name;
        std::int64_t value = 0;
        if (words >> name >> value && name == key) {
            return value;
        }
    }
    return 0;
}

struct Limit {
    std::int64_t total = unlimited;
    std::int64_t available = unlimited;

    void include(std::optional<std::int64_t> limit, std::optional<std::int64_t> used, std::int64_t droppable)
    {
        if (limit && used) {
            total = std::min(total, *limit);
            available
                = std::min(available, std::max<std::int64_t>(*limit - std::max<std::int64_t>(*used - droppable, 0), 0));
        }
    }
};

/// The limit of `group` and of every group above it.
template <class Include> void walkUp(const fs::path& mount, fs::path group, Include&& include)
{
    for (group = group.relative_path();; group = group.parent_path()) {
        include(mount / group);
        if (group.empty()) {
            return;
        }
    }
}

Limit groupLimit(const fs::path& root)
{
    Limit limit;
    std::ifstream file(root / "proc/self/cgroup");
    std::string line; // "4:memory:/path" in version 1, "0::/path" in version 2
    while (std::getline(file, line)) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) {
            continue;
        }
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const fs::path group = line.substr(second + 1);
        if (controllers == ",,") {
            walkUp(root / "sys/fs/cgroup", group, [&](const fs::path& at) {
                limit.include(number(at / "memory.max"), number(at / "memory.current"),
                    entry(at / "memory.stat", "inactive_file"));
            });
        } else if (controllers.find(",memory,") != std::string::npos) {
            walkUp(root / "sys/fs/cgroup/memory", group, [&](const fs::path& at) {
                limit.include(number(at / "memory.limit_in_bytes"), number(at / "memory.usage_in_bytes"),
                    entry(at / "memory.stat", "total_inactive_file"));
            });
        }
    }
    return limit;
}

std::int64_t cacheBytes(const std::string& text) // "512K"
{
    std::istringstream words(text);
    std::int64_t value = 0;
    char unit = ' ';
    words >> value >> unit;
    return unit == 'K' ? value << 10 : unit == 'M' ? value << 20 : value;
}

} // namespace

SystemMemory systemMemory(const fs::path& root)
{
    const std::int64_t total = entry(root / "proc/meminfo", "MemTotal:") * 1024;
    const std::int64_t available = entry(root / "proc/meminfo", "MemAvailable:") * 1024;
    const Limit limit = groupLimit(root);
    return {Bytes(std::min(total, limit.total)), Bytes(std::min(available, limit.available))};
}

ProcessorInfo processorInfo(const fs::path& root)
{
    ProcessorInfo info{"CPU", oneapi::tbb::info::default_concurrency(), Bytes(512 << 10), Bytes(32 << 20)};
    std::ifstream cpuinfo(root / "proc/cpuinfo");
    std::string line;
    while (std::getline(cpuinfo, line)) {
        if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
            info.name = line.substr(line.find(": ") + 2);
            break;
        }
    }
    std::int64_t largest = 0;
    for (int index = 0; index < 8; ++index) {
        const fs::path cache = root / "sys/devices/system/cpu/cpu0/cache" / ("index" + std::to_string(index));
        std::ifstream sizeFile(cache / "size");
        std::string size;
        if (!(sizeFile >> size)) {
            continue;
        }
        largest = std::max(largest, cacheBytes(size));
        if (number(cache / "level") == 2) {
            info.level2 = Bytes(cacheBytes(size));
        }
    }
    if (largest > 0) {
        info.lastLevel = Bytes(largest);
    }
    return info;
}

Bytes processResident()
{
    return Bytes(entry("/proc/self/smaps_rollup", "Rss:") * 1024);
}

} // namespace kvplan
