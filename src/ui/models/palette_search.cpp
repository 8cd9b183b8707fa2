// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/palette_search.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace ep::ui {

namespace {

constexpr int kTitleBegins = 8;
constexpr int kWordBegins = 4;
constexpr int kInTitle = 2;
constexpr int kElsewhere = 1;

std::optional<int> scoreOfWord(const QString& word, const PaletteEntry& entry)
{
    const auto at = entry.title.indexOf(word, 0, Qt::CaseInsensitive);
    if (at == 0)
        return kTitleBegins;
    for (auto next = at; next > 0;
         next = entry.title.indexOf(word, next + 1, Qt::CaseInsensitive)) {
        if (!entry.title[next - 1].isLetterOrNumber())
            return kWordBegins;
    }
    if (at > 0)
        return kInTitle;
    if (entry.kind.contains(word, Qt::CaseInsensitive)
        || entry.detail.contains(word, Qt::CaseInsensitive))
        return kElsewhere;
    return std::nullopt;
}

} // namespace

std::optional<int> paletteScore(const QString& query, const PaletteEntry& entry)
{
    int score = 0;
    for (const QString& word : query.split(u' ', Qt::SkipEmptyParts)) {
        const auto ofWord = scoreOfWord(word, entry);
        if (!ofWord)
            return std::nullopt;
        score += *ofWord;
    }
    return score;
}

std::vector<std::size_t> paletteMatches(const QString& query,
                                        const std::vector<PaletteEntry>& entries, std::size_t most)
{
    std::vector<std::pair<int, std::size_t>> scored;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (const auto score = paletteScore(query, entries[i]))
            scored.emplace_back(*score, i);
    }
    std::stable_sort(scored.begin(), scored.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    scored.resize(std::min(scored.size(), most));
    std::vector<std::size_t> matches;
    for (const auto& [score, index] : scored)
        matches.push_back(index);
    return matches;
}

} // namespace ep::ui
