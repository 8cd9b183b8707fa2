// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/model/engine.h"
#include "ep/session/events.h"
#include "ep/text/answer_end.h"
#include "ep/text/chat_template.h"
#include "ep/text/thought_marks.h"
#include "ep/text/tokenizer.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::session {

// Converts a user's prompt or conversation to the model's input ids: with the chat template of the
// model, or unchanged.
class PromptEncoder {
public:
    PromptEncoder() = default; // unchanged
    // NotFound if the request requires a chat template, as conversations do, and the model has
    // none; also an error if its template cannot be read.
    static Result<PromptEncoder> make(const RunRequest& request);

    bool usesChat() const { return m_chat != nullptr; }
    // The conversation that the template gets for a sequence; empty if the prompt is used without a
    // template.
    Conversation conversationOf(const BatchSequence& sequence) const;
    // Encodes the conversation or, without one, the prompt. Fails if the template refuses it or
    // the tokenizer has no token for a character.
    Result<std::vector<text::TokenId>> encode(const text::Tokenizer& tokenizer,
                                              const BatchSequence& sequence) const;

private:
    std::shared_ptr<const text::ChatTemplate> m_chat; // null: none
    std::string m_system;
    std::string m_variables;
};

// Finds stop texts in a text that arrives in pieces. A possible beginning of a stop text is held
// back until the next piece, so that no part of a stop text is ever passed on.
class StopFilter {
public:
    StopFilter() = default;
    explicit StopFilter(std::vector<std::string> stops); // empty ones are ignored

    // The text that is certain by now. Once a stop text is complete: the text before the first
    // one, and nothing afterwards.
    std::string push(std::string_view piece);
    std::string flush(); // the held-back text, if the text ended without a stop text
    bool stopped() const { return m_stopped; }

private:
    std::vector<std::string> m_stops;
    std::string m_held;
    bool m_stopped = false;
};

// The texts of a batch while they are being generated. Belongs to the inference thread.
class Transcript {
public:
    Transcript() = default;
    // stops: texts, and rules such as "answer:json" (text/answer_end.h), which must be valid.
    Transcript(std::vector<BatchSequence> sequences, std::vector<std::string> stops);

    std::size_t size() const { return m_sequences.size(); }
    void setEncoder(PromptEncoder encoder); // also completes the conversations
    // Ids of all prompts; an error of the tokenizer names the prompt.
    // Call before: fails if a prompt certainly has more tokens than the context of the model.
    Status checkContext(const text::Tokenizer& tokenizer, const ModelFacts& model) const;
    Result<std::vector<std::vector<text::TokenId>>> encode(const text::Tokenizer& tokenizer);
    void startDecoding(const std::shared_ptr<const text::Tokenizer>& tokenizer);

    // The text that a token completes; empty after a stop text.
    std::string add(const model::SequenceStep& step);
    bool stopped(int sequence) const; // by a stop text or rule rather than the model
    std::string flush(); // flushes all interrupted texts; returns that of the first sequence

    // For each token of the first sequence, whether the model was thinking, according to the marks
    // of its template. Empty without a template.
    std::vector<text::AnswerPart> parts() const;
    // The section of its newest token (core/answer_sections.h); empty before anything was thought.
    std::string_view section() const;

    int inputTokens() const; // sum over all sequences
    int outputTokens() const;
    // Prompt, conversation, response and tokens, of all sequences if there are several.
    void describe(RunInfo& info) const;
    // Why sequences ended early (the context was full). Empty if none did.
    Message contextNote(const ModelFacts& model, int maxNewTokens) const;

private:
    struct Sequence {
        BatchSequence facts;
        std::optional<text::StreamDecoder> decoder;
        StopFilter stop;
        std::vector<text::AnswerEnd> answers{}; // one for each rule
        model::FinishReason finish = model::FinishReason::None;
    };

    PromptEncoder m_encoder;
    std::vector<Sequence> m_sequences;
    std::vector<text::TokenId> m_promptEnd; // end of the first sequence's prompt
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::optional<text::ThoughtMarks> m_marks; // in the answer of the first sequence
};

} // namespace ep::session
