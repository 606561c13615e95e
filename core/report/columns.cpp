// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/columns.h"

#include "core/plan/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvplan {

namespace {

std::size_t widthOf(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace

Columns::Columns(std::vector<Align> alignment)
    : m_alignment(std::move(alignment))
{
}

void Columns::add(std::vector<std::string> cells)
{
    m_rows.push_back(std::move(cells));
}

std::string Columns::text(std::string_view indent) const
{
    std::vector<std::size_t> widths;
    for (const auto& row : m_rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t column = 0; column < row.size(); ++column) {
            widths[column] = std::max(widths[column], widthOf(row[column]));
        }
    }
    std::string text;
    for (const auto& row : m_rows) {
        std::string line(indent);
        for (std::size_t column = 0; column < row.size(); ++column) {
            const std::string space(widths[column] - widthOf(row[column]), ' ');
            const bool right = column < m_alignment.size() && m_alignment[column] == Align::Right;
            line += (column == 0 ? "" : "  ") + (right ? space + row[column] : row[column] + space);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string bytesText(Bytes bytes)
{
    constexpr std::int64_t mib = std::int64_t{1} << 20;
    const std::int64_t size = bytes.count() < 0 ? -bytes.count() : bytes.count();
    if (size < mib) {
        return grouped(bytes.count()) + " B";
    }
    return size < bytesPerGib / 10 ? fmt::format("{:.3g} MiB", static_cast<double>(bytes.count()) / mib)
                                   : gibText(bytes);
}

} // namespace kvplan
