// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/run_tree.h"

#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace ep::ui {

// A token, or a component of a layer.
struct SearchHit {
    std::optional<std::int32_t> token;
    std::optional<std::int32_t> layer;
    std::optional<Component> component;

    bool operator==(const SearchHit&) const = default;
};

struct SearchResult {
    std::vector<SearchHit> hits; // components by layer, then tokens in order
    int parts = 0;
    int tokens = 0;
    // Share of the matches in the energy of all components, or of all tokens; absent if there are
    // no hits of that kind or no energy.
    std::optional<double> partShare;
    std::optional<double> tokenShare;
};

// Case-insensitive search: tokens by text, components by name, title or "layer N". An empty text
// finds nothing.
SearchResult searchRun(std::span<const TokenSpan> tokens, std::span<const ComponentTotal> parts,
                       const QString& text);

// "12 cells (34 %), 3 tokens (1.2 %) of the energy", or that nothing was found.
QString describe(const SearchResult& result);

} // namespace ep::ui
