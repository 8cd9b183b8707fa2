// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace ep::ui {

// An entry of the command palette: something to do or a place to go to.
struct PaletteEntry {
    QString title; // "New Run", "demo-llama-5m"
    QString kind; // "File", "Run", "Model", "Token"
    QString detail; // shown beside the title, and searched too
    QString keys; // its shortcut, if any
    std::function<void()> choose;
};

// How well all words of the query match; absent: not at all. Matches at the beginning of the title
// count most, then those at the beginning of any of its words, then those anywhere.
std::optional<int> paletteScore(const QString& query, const PaletteEntry& entry);

// Indices of the best matches, best first; ties keep their order. An empty query matches all.
std::vector<std::size_t> paletteMatches(const QString& query,
                                        const std::vector<PaletteEntry>& entries, std::size_t most);

} // namespace ep::ui
