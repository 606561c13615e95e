// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/accelerator.h"
#include "core/error.h"
#include "core/model/architecture.h"

#include <span>
#include <string_view>
#include <vector>

namespace kvplan {

/// The models and cards that kvplan knows by name. Read from the JSON text of resources/models.json and
/// resources/accelerators.json; core opens no files of its own for it.
class Catalogue {
public:
    static Result<Catalogue> parse(std::string_view modelsJson, std::string_view acceleratorsJson);

    std::span<const Architecture> models() const { return m_models; }
    std::span<const Accelerator> accelerators() const { return m_accelerators; }

    /// Names match without case, spaces and punctuation: an exact match wins; else every word of the query must begin
    /// a word of the name, in order. None, or several (they are listed), is an Error.
    Result<Architecture> findModel(std::string_view query) const;
    Result<Accelerator> findAccelerator(std::string_view query) const;

private:
    std::vector<Architecture> m_models;
    std::vector<Accelerator> m_accelerators;
};

} // namespace kvplan
