// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_setup.h"
#include "core/error.h"
#include "core/model/architecture.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvplan {

enum class LayerKind { Full, Sliding, Chunked, Cross, Recurrent };

/// Layers of one kind on one rank; bytes are one layer's.
struct RankLayers {
    LayerKind kind = LayerKind::Full;
    std::string name; ///< "full", "sliding 1024", "recurrent"
    std::int64_t layers = 0;
    bool latent = false;
    bool onlyKeys = false; ///< one tensor and not two
    Bytes key; ///< a token's key row (latent: the whole row, indexer included)
    Bytes value; ///< a token's value row
    Bytes state; ///< recurrent: state and convolution together
    std::int64_t stateElements = 0; ///< recurrent: of this rank, the state
    std::int64_t convElements = 0; ///< recurrent: of this rank, the convolution
    Tokens window; ///< sliding: the window; chunked: the chunk; cross: the encoder's tokens
    Bytes replicated; ///< of key + value or of state, what tensor parallelism could not divide

    Bytes perToken() const { return key + value; }
};

/// The architecture as one rank holds it: groups without layers here and layers that share another's cache are left
/// out, draft layers join the first group of full attention, draft tokens lengthen the convolution's state. Refuses
/// formats that cannot hold its rows, and what no engine's rule is known for, naming it.
Result<std::vector<RankLayers>> rankLayers(const Architecture& architecture, const EngineSetup& setup);

/// vLLM and SGLang: tensor parallelism divides the query heads, and divides the KV heads or is a multiple of them.
Result<void> checkHeadsDivide(const Architecture& architecture, const EngineSetup& setup);

bool holds(const std::vector<RankLayers>& layers, LayerKind kind);

} // namespace kvplan
