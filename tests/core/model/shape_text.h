// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/architecture.h"

#include <fmt/format.h>

namespace kvplan {

/// The groups in one line: "5×sliding 4·256/256 w512, 1×full 4·512/512".
inline std::string shapeText(const Architecture& architecture)
{
    std::string text;
    for (const AttentionGroup& group : architecture.groups) {
        text += fmt::format("{}{}×{}", text.empty() ? "" : ", ", group.layers, kindName(group.kind));
        std::visit(
            [&](const auto& k) {
                if constexpr (requires { k.kvHeads; }) {
                    text += fmt::format(" {}·{}/{}", k.kvHeads, k.keyDim, k.valueDim);
                }
                if constexpr (requires { k.rank; }) {
                    text += fmt::format(" {}+{}", k.rank, k.ropeDim);
                }
                if constexpr (requires { k.ratio; }) {
                    text += fmt::format(" {} r{}", k.entryDim, k.ratio);
                }
                if constexpr (requires { k.window; }) {
                    text += fmt::format(" w{}", k.window.count());
                }
                if constexpr (requires { k.chunk; }) {
                    text += fmt::format(" c{}", k.chunk.count());
                }
                if constexpr (requires { k.encoderTokens; }) {
                    text += fmt::format(" e{}", k.encoderTokens.count());
                }
                if constexpr (requires { k.indexerDim; }) {
                    text += k.indexerDim > 0 ? fmt::format(" i{}", k.indexerDim) : "";
                }
                if constexpr (requires { k.stateElements; }) {
                    text += fmt::format(
                        " {}·{}B {}·{}B", k.stateElements, k.stateElementBytes, k.convElements, k.convElementBytes);
                }
            },
            group.kind);
    }
    return text;
}

} // namespace kvplan
