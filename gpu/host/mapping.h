// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/units.h"

#include <cstddef>
#include <optional>

namespace kvplan {

/// Anonymous memory straight from the system, given back on destruction. Pages that nobody touched take no memory.
/// Inaccessible pages on both sides keep the system from joining it with a neighbour, so that its resident pages are
/// exactly its own.
class Mapping {
public:
    Mapping() = default;
    /// Aligned to 2 MiB. `hugePages` asks for 2 MiB pages where the system offers them. Fails when the system refuses.
    static Result<Mapping> create(Bytes size, bool hugePages);

    Mapping(Mapping&& other) noexcept;
    Mapping& operator=(Mapping&& other) noexcept;
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping();

    std::byte* data() const { return m_data; }
    template <class T> T* as() const { return reinterpret_cast<T*>(m_data); }

    Bytes size() const { return m_size; } ///< as asked for
    Bytes mapped() const { return m_mapped; } ///< rounded up to whole pages

    struct Resident {
        Bytes total;
        Bytes hugePages; ///< of it, in 2 MiB pages
    };
    /// What the system says is in memory of this mapping, from /proc/self/smaps; empty where that cannot be read.
    std::optional<Resident> resident() const;

private:
    std::byte* m_data = nullptr;
    Bytes m_size;
    Bytes m_mapped;
    void* m_reserved = nullptr; ///< with the inaccessible pages
    std::size_t m_reservedSize = 0;
};

} // namespace kvplan
