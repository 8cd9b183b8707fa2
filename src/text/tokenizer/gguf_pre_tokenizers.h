// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace ep::text {

// What a name in tokenizer.ggml.pre stands for: the rules of the tokenizer.json of such a model.
struct GgufPreTokenizer {
    std::string_view name;
    // Applied in order, each to the parts that earlier ones left over; a match becomes a part of
    // its own. The list ends at the first empty pattern.
    std::array<std::string_view, 6> patterns;
    bool whole_words = false; // a word of the vocabulary is not merged from its parts
    bool composes = false; // characters are composed first (NFC)
    bool begins = false; // adds the token of the beginning unless the file says otherwise
    bool raw = false; // characters and blanks as in SentencePiece in place of an alphabet of bytes
    bool drops_blanks = false; // blanks only separate words
};

// Null if the name is not known.
const GgufPreTokenizer* findGgufPreTokenizer(std::string_view name);

} // namespace ep::text
