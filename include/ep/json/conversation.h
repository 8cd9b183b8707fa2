// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"
#include "ep/core/result.h"
#include "ep/json/document.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Conversations in the form of OpenAI's API: {"messages": [...], "tools": [...]}. Pure functions;
// any thread.
namespace ep::json {

inline constexpr std::uint64_t kMaxConversationBytes = 64U << 20U;

// The content of a file of conversations.
struct ReadConversations {
    std::vector<Conversation> conversations; // at least one; several form a batch
    std::vector<std::string> unused; // members of requests that say how to generate: "temperature"

    bool operator==(const ReadConversations&) const = default;
};

// A list of messages, or an object with `messages` and perhaps `tools` and variables of the
// template (`template_variables`, `chat_template_kwargs`, `reasoning_effort`); a list or lines
// (JSONL) of these; also lines of OpenAI's Batch API, which have them in `body`. Content is a
// text, null, or a list of text parts. Roles and members that OpenAI does not have are kept for
// the template. InvalidInput: "NAME, line 2: message 3 has an image ...".
Result<ReadConversations> readConversations(std::string_view text, const std::string& name);
Result<ReadConversations> readConversationFile(const std::filesystem::path& file);

// The parts of one conversation: a list of messages, and perhaps a list of tools and an object of
// variables (both may be null). The error is a phrase without a full stop: "message 1 has no role".
Result<Conversation> conversationOf(const OrderedJson& messages, const OrderedJson& tools,
                                    const OrderedJson& variables);
// Reads {"messages", "tools", "template_variables"}, as conversationJson() writes it.
Result<Conversation> conversationOf(const OrderedJson& object);
OrderedJson conversationJson(const Conversation& conversation); // without absent members
OrderedJson messagesJson(const Conversation& conversation); // only the list, as given
// The messages with contents as text and arguments of calls as objects, converted if necessary.
OrderedJson plainMessagesJson(const Conversation& conversation);
std::string conversationText(const Conversation& conversation); // compact; empty if there is none
Conversation conversationFromText(const std::string& text); // empty if the text is damaged

ChatMessage chatMessage(const std::string& role, const std::string& text);
// One user message, after a system message unless that is empty.
Conversation promptConversation(const std::string& system, const std::string& prompt);
// The error is a phrase as above that names the message by its number.
Result<ChatMessage> chatMessage(const OrderedJson& message, std::size_t number = 1);

// Sets a variable: "enable_thinking=false". The value is JSON or, failing that, a text without
// quotes.
Status setVariable(std::string& variables, const std::string& nameAndValue);
// Merges two sets of variables; the second takes precedence.
std::string mergedVariables(const std::string& variables, const std::string& stronger);

} // namespace ep::json
