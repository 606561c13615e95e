// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <QString>

namespace kvplan {

/// An Error as a sentence with a capital letter and a full stop.
QString sentence(const Error& error);

} // namespace kvplan
