// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text {

enum class AnswerPart : std::uint8_t { Answer, Thinking };

// Finds the tokens of an answer that are the model's thinking, by the marks that chat templates put
// around it: "<think>" and "</think>", harmony's analysis channel, Gemma 4's thought channel and
// others. The marks belong to the thinking; text between two thoughts is answer.
class ThoughtMarks {
public:
    // prompt: the end of the prompt, with special tokens, which may open a thought that the answer
    // closes.
    explicit ThoughtMarks(std::string_view prompt);

    // Adds the text of the next token, with special tokens.
    void add(std::string_view piece);
    // The part for each token added so far.
    std::vector<AnswerPart> parts() const;

    // Whether anything has been thought so far, and the part of the newest token. A mark of several
    // tokens is recognised at its last token; from then on, parts() counts all of them as part of
    // the thought.
    bool thought() const { return !m_thoughts.empty(); }
    AnswerPart last() const { return m_last; }

private:
    struct Thought {
        std::size_t begin = 0;
        std::size_t end = std::string_view::npos; // npos while the thought is open
    };
    void findMarks();

    std::string m_text;
    std::vector<std::size_t> m_ends; // end of each token in the text
    std::vector<Thought> m_thoughts; // in the text, with their marks
    std::string_view m_close; // ends the open thought; empty: any mark that closes
    std::size_t m_searched = 0; // no mark begins before this position
    AnswerPart m_last = AnswerPart::Answer;
};

} // namespace ep::text
