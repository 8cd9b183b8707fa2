// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/prompt_encoder.h"

#include "run/prompt.h"

#include "ep/json/conversation.h"

#include <utility>

namespace ep::session {

Result<PromptEncoder> PromptEncoder::make(const RunRequest& request)
{
    PromptEncoder encoder;
    const bool hasMessages = !request.conversations.empty();
    if (request.chat == ChatUse::Off && !hasMessages)
        return encoder;
    auto chat = text::ChatTemplate::load(request.load.folder);
    if (chat) {
        encoder.m_chat = std::move(*chat);
        encoder.m_system = cleanPrompt(request.system);
        encoder.m_variables = request.template_variables;
    } else if (hasMessages && chat.error().code == ErrorCode::NotFound) {
        return Error{ErrorCode::NotFound,
                     {"The model in %1 has no chat template, which messages need: give a prompt "
                      "instead, or choose a chat model.",
                      request.load.folder.string()}};
    } else if (request.chat == ChatUse::Always || chat.error().code != ErrorCode::NotFound) {
        return chat.error();
    }
    return encoder;
}

Conversation PromptEncoder::conversationOf(const BatchSequence& sequence) const
{
    const bool promptAlone =
        sequence.conversation.empty() && m_system.empty() && m_variables.empty();
    if (!m_chat || promptAlone)
        return {};
    Conversation all = sequence.conversation.empty()
        ? json::promptConversation(m_system, sequence.prompt)
        : sequence.conversation;
    all.variables = json::mergedVariables(all.variables, m_variables);
    return all;
}

Result<std::vector<text::TokenId>> PromptEncoder::encode(const text::Tokenizer& tokenizer,
                                                         const BatchSequence& sequence) const
{
    if (!m_chat)
        return tokenizer.tryEncode(sequence.prompt);
    const auto text =
        m_chat->render(sequence.conversation.empty() ? json::promptConversation({}, sequence.prompt)
                                                     : sequence.conversation);
    if (!text)
        return text.error();
    // The template has added the special tokens.
    return tokenizer.tryEncode(cleanPrompt(*text), false);
}

} // namespace ep::session
