// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/text/tokenizer.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Where an answer is complete, by a rule that the user chooses: what a model generates after that
// is babble. One rule serves for marking a stored run and for stopping a new one.
namespace ep::text {

struct AnswerRule {
    enum class Kind {
        Fence, // the first fenced code block (CommonMark) is closed
        Json, // the text begins with a JSON object or list, perhaps in a code block, and it is
              // closed
        Regex, // a match of the pattern ends, and text follows that does not change it
        Repetition, // 20 or more tokens stand three times in succession: all but the first time
    };
    Kind kind = Kind::Fence;
    std::string pattern{}; // of Regex

    bool operator==(const AnswerRule&) const = default;
};

// "fence", "json", "repetition", "regex:PATTERN"; errors say what is accepted, or what is wrong
// with the pattern (in the syntax of tokenizer.json).
Result<AnswerRule> parseAnswerRule(const std::string& text);
std::string ruleText(const AnswerRule& rule); // readable by parseAnswerRule()

// A stop text of a generation that begins so is a rule: "answer:json" stops when the answer is
// complete.
inline constexpr std::string_view kStopRulePrefix = "answer:";
// Whether all of these stop texts that are rules can be read.
Status checkStopRules(const std::vector<std::string>& stops);

// Watches tokens for the end of the answer. One thread at a time.
class AnswerEnd {
public:
    static Result<AnswerEnd> watch(const AnswerRule& rule);
    ~AnswerEnd();
    AnswerEnd(AnswerEnd&&) noexcept;
    AnswerEnd& operator=(AnswerEnd&&) noexcept;

    // The next token and the text that it completed, which is empty for special tokens and for
    // parts of a character. Fails if a pattern takes too long.
    Status push(TokenId id, std::string_view text);

    // The tokens so far hold the whole answer: a generation may stop.
    bool complete() const;
    // Index of the first token that the answer does not need. Absent unless a token after the
    // answer has text other than blanks: an end token and a final line break belong to it.
    std::optional<std::size_t> onset() const;

private:
    struct Impl;
    explicit AnswerEnd(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace ep::text
