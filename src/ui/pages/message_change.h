// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"
#include "ep/core/result.h"

#include <cstddef>
#include <string>

namespace ep::ui {

// Members of a message other than role and content, as one line of JSON; empty: none.
std::string furtherFields(const ChatMessage& message);

// The messages, one per line: "user: Hi"; a message without text shows its fields.
std::string spokenText(const Conversation& conversation);

// The message with another role, text and other fields. Members keep their order, and a content
// whose text is unchanged keeps its form. The error is a phrase without a full stop and names the
// message by its number.
Result<ChatMessage> changedMessage(const ChatMessage& message, std::size_t number,
                                   const std::string& role, const std::string& text,
                                   const std::string& further);

} // namespace ep::ui
