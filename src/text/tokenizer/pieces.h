// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/format.h"
#include "ep/core/result.h"
#include "ep/text/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::text {

// Stages of tokenizer.json may be sequences of stages; deeper nesting than this is an error.
inline constexpr int kMaximalNesting = 16;

// Limits the memory and work that a tokenizer may spend on one text, so that an untrusted file
// cannot multiply a prompt without limit. Real tokenizers at most triple a text in a handful of
// passes.
class TextBudget {
public:
    explicit TextBudget(std::size_t input)
        : m_memory(kMemory + kGrowth * input)
        , m_work(kWork + kPasses * input)
    {
    }

    // Whether a text of this length is allowed, in addition to the texts that were kept.
    bool allows(std::size_t bytes) const { return bytes <= m_memory; }
    // Call this for each text that a part of the tokenizer produces. part: its name in the file.
    Status spend(std::size_t bytes, const std::string& part)
    {
        if (!allows(bytes))
            return tooLong(part);
        if (bytes > m_work) {
            return Error{ErrorCode::InvalidInput,
                         {"The tokenizer needs too much work for this text, in %1: check that its "
                          "tokenizer.json is the original one.",
                          part}};
        }
        m_work -= bytes;
        return {};
    }
    // Call this for a text that is kept until the end.
    Status keep(std::size_t bytes, const std::string& part)
    {
        if (!allows(bytes))
            return tooLong(part);
        m_memory -= bytes;
        return {};
    }
    Error tooLong(const std::string& part) const
    {
        return {ErrorCode::InvalidInput,
                {"The tokenizer makes the text longer than %1, in %2: check that its "
                 "tokenizer.json is the original one.",
                 formatBytes(static_cast<std::int64_t>(m_memory)), part}};
    }

private:
    static constexpr std::size_t kMemory = std::size_t{16} << 20; // like jinja::kMaxTextBytes
    static constexpr std::size_t kGrowth = 32;
    static constexpr std::size_t kWork = std::size_t{512} << 20;
    static constexpr std::size_t kPasses = 64;

    std::size_t m_memory; // bytes left
    std::size_t m_work; // bytes that may still be written
};

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
