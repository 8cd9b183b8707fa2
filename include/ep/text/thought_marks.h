// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text {

enum class AnswerPart : std::uint8_t { Answer, Thinking };

// Which tokens of an answer are the model's thinking, by the marks that chat templates put around
// it: "<think>" and "</think>", harmony's analysis channel, Gemma 4's channel of thought and
// others. The marks belong to the thinking; what stands between two thoughts is answer.
class ThoughtMarks {
public:
    // prompt: its end, with special tokens; it may open a thought that the answer only closes.
    explicit ThoughtMarks(std::string_view prompt);

    // The text of the next token, with special tokens.
    void add(std::string_view piece);
    // For each token added so far.
    std::vector<AnswerPart> parts() const;

private:
    bool m_open = false; // the answer begins inside a thought
    std::string m_text;
    std::vector<std::size_t> m_ends; // of the tokens in the text
};

} // namespace ep::text
