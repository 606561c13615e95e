// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/architecture.h"
#include "core/model/config/config_fields.h"

#include <cstdint>
#include <optional>

namespace kvplan {

/// A layer that keeps a state of fixed size.
struct RecurrentLayer {
    RecurrentState state;
    std::optional<std::int64_t> parameters; ///< of the layer's mixer; empty where this version cannot count them
};

/// Reads the shape of the state from whichever family of keys is there:
/// gated delta net (linear_*): value heads · d_k · d_v, convolution over 2 · key heads · d_k + value heads · d_v
/// channels; KDA: heads · d², convolution over 3 · heads · d; lightning attention: heads · d², none; Mamba: inner ·
/// state, convolution over inner; Mamba-2: heads · d · state, over inner + 2 · groups · state; short convolution: no
/// state, hidden · cache length; Griffin: its width, convolution over it; RWKV: hidden · head width, two columns of
/// hidden for the token shift. A convolution keeps kernel − 1 columns, a short one as many as its key says. States are
/// 4 bytes an element unless a key says otherwise, convolutions 2. Source: the models' code in transformers and vLLM.
RecurrentLayer recurrentLayer(ConfigFields& fields, std::int64_t hidden);

} // namespace kvplan
