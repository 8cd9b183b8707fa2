// SPDX-License-Identifier: GPL-3.0-or-later
#include "phrase_finder.h"

namespace ep::text {

void PhraseFinder::add(std::string_view phrase)
{
    const std::uint32_t number = m_phrases++;
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < phrase.size(); ++i) {
        Edge& edge = m_trie[key(node, phrase[i])];
        if (edge.child == 0)
            edge.child = m_nodes++;
        if (i + 1 == phrase.size() && edge.phrase == noPhrase)
            edge.phrase = number;
        node = edge.child;
    }
    if (!phrase.empty())
        m_begins[static_cast<unsigned char>(phrase[0])] = true;
}

std::optional<PhraseFinder::Match> PhraseFinder::find(std::string_view text, std::size_t from) const
{
    for (std::size_t begin = from; begin < text.size(); ++begin) {
        if (!m_begins[static_cast<unsigned char>(text[begin])])
            continue;
        std::optional<Match> longest;
        std::uint32_t node = 0;
        for (std::size_t at = begin; at < text.size();) {
            const Edge* edge = m_trie.find(key(node, text[at]));
            if (!edge)
                break;
            node = edge->child;
            ++at;
            if (edge->phrase != noPhrase)
                longest = Match{begin, at, edge->phrase};
        }
        if (longest)
            return longest;
    }
    return std::nullopt;
}

} // namespace ep::text
