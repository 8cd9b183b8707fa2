// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pieces.h"

#include <utility>
#include <vector>

// Shared by the pre-tokenizers.
namespace ep::text {

inline void appendParts(std::vector<Piece>& result, const Piece& piece,
                        const std::vector<Span>& parts)
{
    for (const Span& part : parts) {
        if (part.begin != part.end)
            result.push_back(partOf(piece, part.begin, part.end));
    }
}

// Replaces every piece of text by the parts appended by `split`.
template <typename SplitPiece>
Status splitEach(Pieces& pieces, SplitPiece split)
{
    std::vector<Piece> result;
    result.reserve(pieces.list.size());
    for (const Piece& piece : pieces.list) {
        if (piece.token != noToken) {
            result.push_back(piece);
            continue;
        }
        if (Status status = split(piece, result); !status)
            return status;
    }
    pieces.list = std::move(result);
    return {};
}

} // namespace ep::text
