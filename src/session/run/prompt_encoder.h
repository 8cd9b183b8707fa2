// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/text/chat_template.h"
#include "ep/text/tokenizer.h"
#include "ep/session/events.h"

#include <memory>
#include <string>
#include <vector>

namespace ep::session {

// From a person's prompt to the ids that the model gets: with the chat template of the model, or as
// it is.
class PromptEncoder {
public:
    PromptEncoder() = default; // as it is
    // NotFound when the request insists on a chat template and the model has none; an error, too,
    // when there is one that cannot be read.
    static Result<PromptEncoder> make(const RunRequest& request);

    bool usesChat() const { return m_chat != nullptr; }
    // Fails when the template refuses the prompt or the tokenizer has no token for a character.
    Result<std::vector<text::TokenId>> encode(const text::Tokenizer& tokenizer,
                                               const std::string& prompt) const;

private:
    std::shared_ptr<const text::ChatTemplate> m_chat; // null: none
    std::string m_system;
};

} // namespace ep::session
