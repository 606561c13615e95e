// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/module_patterns.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace kvplan {

namespace {

constexpr std::size_t longestPattern = 200;

/// A regular expression of the simple kind as globs, one for each alternative of its first group.
std::vector<std::string> globsOf(std::string_view pattern)
{
    if (!pattern.starts_with("re:")) {
        return {std::string(pattern)};
    }
    pattern.remove_prefix(3);
    std::vector<std::string> globs(1);
    const auto append = [&](std::string_view text) {
        for (std::string& glob : globs) {
            glob += text;
        }
    };
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const std::string_view rest = pattern.substr(i);
        if (rest.starts_with(".*") || rest.starts_with(".+")) {
            append("*");
            ++i;
        } else if (rest.starts_with("\\d+")) {
            append("*");
            i += 2;
        } else if (rest.starts_with('\\')) {
            append(rest.substr(1, 1));
            ++i;
        } else if (const auto close = rest.find(')');
                   rest.starts_with('(') && close != std::string_view::npos && globs.size() == 1) {
            const std::string head = globs.front();
            globs.clear();
            std::string_view group = rest.substr(1, close - 1);
            while (true) {
                const auto bar = group.find('|');
                globs.push_back(head + std::string(group.substr(0, bar)));
                if (bar == std::string_view::npos) {
                    break;
                }
                group.remove_prefix(bar + 1);
            }
            i += close;
        } else if (rest.front() != '^' && rest.front() != '$') {
            append(rest.substr(0, 1));
        }
    }
    return globs;
}

/// * stands for any run of characters; linear in the product of the lengths.
bool matches(std::string_view glob, std::string_view text)
{
    std::size_t g = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t mark = 0;
    while (t < text.size()) {
        if (g < glob.size() && glob[g] == '*') {
            star = g++;
            mark = t;
        } else if (g < glob.size() && glob[g] == text[t]) {
            ++g;
            ++t;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (g < glob.size() && glob[g] == '*') {
        ++g;
    }
    return g == glob.size();
}

/// Whole names, or names that go on from `glob` at a dot, from any dot on.
bool matchesComponents(std::string_view glob, std::string_view name)
{
    const std::string deeper = std::string(glob) + ".*";
    while (true) {
        if (matches(glob, name) || matches(deeper, name)) {
            return true;
        }
        const auto dot = name.find('.');
        if (dot == std::string_view::npos) {
            return false;
        }
        name.remove_prefix(dot + 1);
    }
}

/// Names a part goes by in the checkpoints of different families.
std::vector<std::string> moduleNames(WeightPart part, std::int64_t layer)
{
    const std::string prefix = fmt::format("model.layers.{}.", layer);
    switch (part) {
    case WeightPart::Attention:
        return {prefix + "self_attn.o_proj", prefix + "attn.wo"};
    case WeightPart::Dense:
        return {prefix + "mlp.down_proj"};
    case WeightPart::Routed:
        return {prefix + "mlp.experts.0.down_proj", prefix + "block_sparse_moe.experts.0.w2"};
    case WeightPart::Shared:
        return {prefix + "mlp.shared_experts.down_proj", prefix + "mlp.shared_expert.down_proj",
            prefix + "ffn.shared_experts.w2"};
    case WeightPart::Head:
        return {"lm_head"};
    case WeightPart::Embedding:
    case WeightPart::Small:
        break;
    }
    return {};
}

} // namespace

bool namesPart(std::string_view pattern, WeightPart part, std::int64_t layer)
{
    if (pattern.empty() || pattern.size() > longestPattern) {
        return false;
    }
    for (const std::string& glob : globsOf(pattern)) {
        for (const std::string& name : moduleNames(part, layer)) {
            if (matchesComponents(glob, name)) {
                return true;
            }
        }
    }
    return false;
}

} // namespace kvplan
