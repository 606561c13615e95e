// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/decode.h"

namespace kvplan {

/// Attention of one query head in double precision, straight from the definition: all scores, their largest, the
/// weights, the weighted mean of V. Reads the stored elements, so that a format's own error does not count.
/// query [key width] in, out [value width]. A sequence without tokens gives zeros.
void referenceHead(
    const LayerView& layer, const SequenceView& sequence, std::int64_t queryHead, const float* query, double* out);

/// ‖outputs − reference‖ / ‖reference‖ over the given sequence (queries and outputs of that sequence alone). Heads are
/// spread evenly and left out where all of them would be more than `elements` cache elements to read.
double referenceError(const LayerView& layer, const SequenceView& sequence, const float* queries, const float* outputs,
    std::int64_t elements);

} // namespace kvplan
