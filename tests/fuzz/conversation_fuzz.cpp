// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a file of conversations. An accepted file survives writing and reading unchanged; a
// rejected one gets one sentence.
#include "ep/core/utf8.h"
#include "ep/json/conversation.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void require(bool holds)
{
    if (!holds)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto read = ep::json::readConversations(text, "chat");
    if (!read) {
        const std::string problem = read.error().message.english();
        require(problem.starts_with("chat") && problem.ends_with('.'));
        require(ep::isValidUtf8(problem) && read.error().code != ep::ErrorCode::Internal);
        return 0;
    }
    require(!read->conversations.empty());
    for (const ep::Conversation& conversation : read->conversations) {
        require(!conversation.empty() && ep::isValidUtf8(ep::questionOf(conversation)));
        require(ep::json::conversationFromText(ep::json::conversationText(conversation))
                == conversation);
        require(ep::json::plainMessagesJson(conversation).size() == conversation.messages.size());
    }
    return 0;
}
