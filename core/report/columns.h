// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/units.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvplan {

enum class Align { Left, Right };

/// Rows of cells as aligned text: each column is as wide as its widest cell, columns stand two spaces apart, and no
/// line ends in spaces. Widths count characters, not bytes.
class Columns {
public:
    explicit Columns(std::vector<Align> alignment);

    /// Cells beyond the alignment given stand left.
    void add(std::vector<std::string> cells);

    /// Every row behind `indent`, each with its line end.
    std::string text(std::string_view indent = "  ") const;

private:
    std::vector<Align> m_alignment;
    std::vector<std::vector<std::string>> m_rows;
};

/// "131,072 B" below a MiB, "2 MiB" below 0.1 GiB, "60.0 GiB" above: three significant digits.
std::string bytesText(Bytes bytes);

} // namespace kvplan
