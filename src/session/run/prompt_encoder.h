// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/session/events.h"
#include "ep/text/chat_template.h"
#include "ep/text/tokenizer.h"

#include <memory>
#include <string>
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

} // namespace ep::session
