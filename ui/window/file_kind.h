// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace kvplan {

/// What a file that was opened or dropped is for.
enum class FileKind {
    Scenario,
    Measurement,
    Model, ///< config.json and its kin; also whatever is none of the others, whose reader says what is wrong
};

/// Tells by the name and by the keys of the JSON, reading at most the first 16 MiB.
FileKind fileKind(const QString& path);

} // namespace kvplan
