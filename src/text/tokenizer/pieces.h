// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text_budget.h"

#include "ep/text/tokenizer.h"

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::text {

constexpr TokenId noToken = -1;

// A part of the input: text, or an added token that was already matched.
struct Piece {
    std::string_view text;
    TokenId token = noToken;
    bool beginsText = false; // its first character derives from the first one of the input
};

// The pieces of one input in order, and the memory of their texts.
class Pieces {
public:
    explicit Pieces(std::string_view input)
        : budget(input.size())
    {
        list.push_back({input, noToken, true});
    }

    std::string_view keep(std::string text)
    {
        m_texts.push_back(std::move(text));
        return m_texts.back();
    }

    std::vector<Piece> list;
    TextBudget budget; // budget of the whole input

private:
    std::deque<std::string> m_texts; // a deque never moves its elements
};

// A part of a piece; only the first part can begin the text.
inline Piece partOf(const Piece& piece, std::size_t begin, std::size_t end)
{
    return {piece.text.substr(begin, end - begin), noToken, piece.beginsText && begin == 0};
}

} // namespace ep::text
