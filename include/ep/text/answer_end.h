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

// Where an answer is complete, by a rule that the user chooses; whatever a model generates
// afterwards is babble. The same rule marks a stored run and stops a new one.
namespace ep::text {

struct AnswerRule {
    enum class Kind {
        Fence, // the first fenced code block (CommonMark) is closed
        Json, // the text begins with a JSON object or list, perhaps in a code block, and it is
              // closed
        Regex, // a match of the pattern ends, followed by text that cannot change it
        Repetition, // 20 or more tokens occur three times in succession; the first time counts
    };
    Kind kind = Kind::Fence;
    std::string pattern{}; // for a Regex

    bool operator==(const AnswerRule&) const = default;
};

// "fence", "json", "repetition", "regex:PATTERN"; errors list what is accepted, or say what is
// wrong with the pattern (in the syntax of tokenizer.json).
Result<AnswerRule> parseAnswerRule(const std::string& text);
std::string ruleText(const AnswerRule& rule); // readable by parseAnswerRule()

// Prefix of stop texts that are rules: "answer:json" stops a generation when the answer is
// complete.
inline constexpr std::string_view kStopRulePrefix = "answer:";
// Whether all rules among these stop texts are valid.
Status checkStopRules(const std::vector<std::string>& stops);

// Watches tokens for the end of the answer. One thread at a time.
class AnswerEnd {
public:
    static Result<AnswerEnd> watch(const AnswerRule& rule);
    ~AnswerEnd();
    AnswerEnd(AnswerEnd&&) noexcept;
    AnswerEnd& operator=(AnswerEnd&&) noexcept;

    // Adds the next token and the text that it completed, which is empty for special tokens and
    // parts of a character. Fails if a pattern takes too long.
    Status push(TokenId id, std::string_view text);

    // Whether the tokens so far contain the whole answer, so that a generation may stop.
    bool complete() const;
    // Index of the first token that the answer does not need. Absent unless a later token has text
    // other than blanks, since an end token and a final line break belong to the answer.
    std::optional<std::size_t> onset() const;

private:
    struct Impl;
    explicit AnswerEnd(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace ep::text
