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

// What a file of conversations holds.
struct ReadConversations {
    std::vector<Conversation> conversations; // at least one; several are a batch
    std::vector<std::string> unused; // members of requests that say how to generate: "temperature"

    bool operator==(const ReadConversations&) const = default;
};

// A list of messages, or an object with `messages` and perhaps `tools`, the variables of the
// template (`template_variables`, `chat_template_kwargs`, `reasoning_effort`); a list or lines
// (JSONL) of these; also the lines of OpenAI's Batch API, which have them in `body`. Content is a
// text, null or a list of parts of text. Roles and members that OpenAI does not have are kept for
// the template. InvalidInput: "NAME, line 2: message 3 has an image ...".
Result<ReadConversations> readConversations(std::string_view text, const std::string& name);
Result<ReadConversations> readConversationFile(const std::filesystem::path& file);

// The parts of one conversation: a list of messages, and perhaps a list of tools and an object of
// variables (both may be null). The error is a phrase without a full stop: "message 1 has no role".
Result<Conversation> conversationOf(const OrderedJson& messages, const OrderedJson& tools,
                                    const OrderedJson& variables);
// The same from {"messages", "tools", "template_variables"}, as conversationJson() writes it.
Result<Conversation> conversationOf(const OrderedJson& object);
OrderedJson conversationJson(const Conversation& conversation); // without what is absent
OrderedJson messagesJson(const Conversation& conversation); // the list alone, as given
// With a text for every content and an object for the arguments of every call, where they are not.
OrderedJson plainMessagesJson(const Conversation& conversation);
OrderedJson parsedOrNull(const std::string& text); // null if it is empty or no JSON
std::string conversationText(const Conversation& conversation); // compact; empty if there is none
Conversation conversationFromText(const std::string& text); // empty if the text is damaged

ChatMessage chatMessage(const std::string& role, const std::string& text);
// One message of the user, after a system message if that is not empty.
Conversation promptConversation(const std::string& system, const std::string& prompt);
// The error is a phrase as above; it names the message by its number.
Result<ChatMessage> chatMessage(const OrderedJson& message, std::size_t number = 1);

// Sets "enable_thinking=false" among variables. The value is JSON, or else a text without quotes.
Status setVariable(std::string& variables, const std::string& nameAndValue);
// Both together; the second counts where both have one.
std::string mergedVariables(const std::string& variables, const std::string& stronger);

} // namespace ep::json
