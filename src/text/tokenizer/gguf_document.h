// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"

#include <array>
#include <string_view>

namespace ep::text {

// Builds the tokenizer.json of the same model from the metadata of a GGUF file: byte-level BPE
// ("gpt2") with the pre-tokenizer that the file names, and SentencePiece's BPE ("llama") with
// bytes for unknown characters. Throws json::ReadError, Unsupported for other models and names.
// Instead of model.vocab it has model.tokens: the texts by id, null for rows that only pad.
json::Json tokenizerOfGguf(json::Json metadata);

// The pre-tokenizer that a name in tokenizer.ggml.pre stands for, as tokenizer.json would state it.
struct GgufPreTokenizer {
    std::string_view name;
    // Applied in order, each to the parts that earlier ones left over; a match becomes a separate
    // part. The list ends at the first empty pattern.
    std::array<std::string_view, 6> patterns;
    bool whole_words = false; // a word that is in the vocabulary is not merged from parts
    bool composes = false; // characters are composed first (NFC)
    bool begins = false; // adds the beginning-of-text token unless the file says otherwise
    bool raw = false; // characters and blanks as in SentencePiece instead of byte-level
    bool drops_blanks = false; // blanks only separate words and are dropped
};

// Null if the name is unknown.
const GgufPreTokenizer* findGgufPreTokenizer(std::string_view name);

} // namespace ep::text
