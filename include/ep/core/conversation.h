// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

// A conversation as chat templates and servers take it, in the form of OpenAI's API. Plain values.
// JSON is held as compact text, its members in the order in which they were given, because
// templates print tools and calls in that order. ep/json/conversation.h reads and writes it.
namespace ep {

struct ChatMessage {
    std::string role; // "system", "user", "assistant", "tool"; others are left to the template
    std::string text; // its content, or the texts of its parts, one below the other
    std::string json; // the whole message; role and text follow from it

    bool operator==(const ChatMessage&) const = default;
};

struct Conversation {
    std::vector<ChatMessage> messages; // empty: there is no conversation
    std::string tools; // JSON list; empty: none
    std::string variables; // of the chat template, a JSON object; empty: none

    bool empty() const { return messages.empty(); }
    bool operator==(const Conversation&) const = default;
};

// What is asked: the text of the last message of the user, or else of the last message with a text.
std::string_view questionOf(const Conversation& conversation);

} // namespace ep
