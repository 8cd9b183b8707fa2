// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"

#include <cstddef>
#include <string>
#include <string_view>

// The parts of a message that are compared with those of other requests: its text without the parts
// that agents change in every request, and its tool calls without their ids. Pure.
namespace ep::session {

// The text without environment, reminders and billing hashes, with single blanks.
std::string comparableText(std::string_view text);
// Names and arguments of the tool calls; empty: it has none.
std::string callsIn(const ChatMessage& message);

// Hashes of texts without blanks; 0: there is nothing to compare.
struct MessageKey {
    std::size_t whole = 0; // text and tool calls
    std::size_t text = 0;
    std::size_t calls = 0;
    bool specific = false; // long enough that no other session says the same by chance
};
// The key of one message, or of an assistant's message in several parts.
MessageKey keyOf(const std::string& text, const std::string& calls);
// The key of an answer as it is stored: its text, followed by its tool calls.
MessageKey keyOfAnswer(std::string_view response);

} // namespace ep::session
