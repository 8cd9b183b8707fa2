// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

// A conversation as chat templates and servers expect it, in the form of OpenAI's API. Plain
// values. JSON is stored as compact text, with members in their original order, because templates
// print tools and calls in that order. ep/json/conversation.h reads and writes it.
namespace ep {

struct ChatMessage {
    std::string role; // "system", "user", "assistant", "tool"; the template decides about others
    std::string text; // its content, or the texts of its parts, separated by line breaks
    std::string json; // the whole message; role and text follow from it

    bool operator==(const ChatMessage&) const = default;
};

struct Conversation {
    std::vector<ChatMessage> messages; // empty: there is no conversation
    std::string tools; // JSON list; empty: none
    std::string variables; // variables of the chat template, a JSON object; empty: none

    bool empty() const { return messages.empty(); }
    bool operator==(const Conversation&) const = default;
};

// The question: the last text of the user or, if there is none, the last message that has text.
std::string_view questionOf(const Conversation& conversation);

} // namespace ep
