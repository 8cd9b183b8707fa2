// SPDX-License-Identifier: GPL-3.0-or-later
#include "byte_level.h"
#include "tokenizer_impl.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace ep::text {

namespace {

// Whether every byte has a token (a byte-level character, or <0x00> to <0xFF>), so that no text is
// dropped or becomes a single unknown token.
bool hasAllBytes(const Vocabulary& vocabulary)
{
    bool level = true;
    for (unsigned byte = 0; byte < 256; ++byte) {
        std::string character;
        const char c = static_cast<char>(byte);
        appendByteLevel(character, std::string_view(&c, 1));
        level = level && vocabulary.idOf(character);
    }
    const std::vector<TokenId> named = byteTokens(vocabulary);
    return level || std::ranges::find(named, -1) == named.end();
}

std::size_t longestIn(const Vocabulary& vocabulary)
{
    std::size_t longest = 1;
    std::size_t seen = 0;
    for (TokenId id = 0; id <= highestTokenId && seen < vocabulary.size(); ++id) {
        if (!vocabulary.hasId(id))
            continue;
        ++seen;
        longest = std::max(longest, vocabulary.tokenOf(id).size());
    }
    return longest;
}

} // namespace

std::size_t Tokenizer::leastTokens(std::string_view text) const
{
    const auto shrinks =
        m_impl->normalizer ? m_impl->normalizer->mostShrinking() : std::optional(1);
    const Vocabulary& vocabulary = m_impl->model->vocabulary();
    if (!shrinks || !hasAllBytes(vocabulary))
        return 0;
    // Blanks next to an added token may be stripped.
    const auto solid = static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return static_cast<unsigned char>(c) > ' '; }));
    const std::size_t longest = std::max(longestIn(vocabulary), m_impl->added.longestToken());
    return solid / (static_cast<std::size_t>(*shrinks) * longest);
}

} // namespace ep::text
