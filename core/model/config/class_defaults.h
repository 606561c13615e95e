// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace kvplan {

/// What the configuration class of a model type fills in for keys that a file leaves out: an object with those that
/// bear on the cache. Minimal files rely on it. Source: the configuration classes of Hugging Face transformers.
nlohmann::json classDefaults(std::string_view modelType);

/// What a model type's code does and no key says; it bears on the count of parameters.
struct FamilyTraits {
    std::string_view modelType; ///< this type, or this with a suffix ("gemma3" also means "gemma3_text")
    bool gatedMlp = true; ///< gate, up and down; else up and down
    bool tiedEmbeddings = false; ///< where tie_word_embeddings is absent
    bool learnedPositions = false;
    std::int64_t mlpDivisor = 1; ///< intermediate_size counts so many times the width
};

FamilyTraits familyTraits(std::string_view modelType);

/// What keeps a model type out: a clause in plain words, empty where nothing does.
std::string_view whyNotDecoder(std::string_view modelType);

} // namespace kvplan
