// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/prompt_encoder.h"

#include "run/prompt.h"

#include <utility>

namespace ep::session {

Result<PromptEncoder> PromptEncoder::make(const RunRequest& request)
{
    PromptEncoder encoder;
    if (request.chat == ChatUse::Off)
        return encoder;
    auto chat = text::ChatTemplate::load(request.load.folder);
    if (chat) {
        encoder.m_chat = std::move(*chat);
        encoder.m_system = cleanPrompt(request.system);
    } else if (request.chat == ChatUse::Always || chat.error().code != ErrorCode::NotFound) {
        return chat.error();
    }
    return encoder;
}

Result<std::vector<text::TokenId>> PromptEncoder::encode(const text::Tokenizer& tokenizer,
                                                         const std::string& prompt) const
{
    if (!m_chat)
        return tokenizer.tryEncode(prompt);
    const auto text = text::renderPrompt(*m_chat, m_system, prompt);
    if (!text)
        return text.error();
    return tokenizer.tryEncode(*text, false); // the template has added the special tokens
}

} // namespace ep::session
