// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/conversation.h"

#include <algorithm>

namespace ep {

std::string_view questionOf(const Conversation& conversation)
{
    const auto& messages = conversation.messages;
    const auto hasText = [](const ChatMessage& message) { return !message.text.empty(); };
    auto found = std::find_if(messages.rbegin(), messages.rend(), [&](const ChatMessage& message) {
        return message.role == "user" && hasText(message);
    });
    if (found == messages.rend())
        found = std::find_if(messages.rbegin(), messages.rend(), hasText);
    return found == messages.rend() ? std::string_view() : std::string_view(found->text);
}

} // namespace ep
