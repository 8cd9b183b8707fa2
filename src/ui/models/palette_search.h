// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace ep::ui {

// Something that the command palette can do or go to.
struct PaletteEntry {
    QString title; // "New Run", "demo-llama-5m"
    QString kind; // "File", "Run", "Model", "Token"
    QString detail; // shown beside the title; searched too
    QString keys; // its shortcut, if it has one
    std::function<void()> choose;
};

// How well all words of the query match; nothing: not at all. Words at the beginning of the title
// count most, then those at the beginning of any word of it, then those anywhere.
std::optional<int> paletteScore(const QString& query, const PaletteEntry& entry);

// Indices of the best matches, best first, equal ones in their order. An empty query: all.
std::vector<std::size_t> paletteMatches(const QString& query,
                                        const std::vector<PaletteEntry>& entries, std::size_t most);

} // namespace ep::ui
