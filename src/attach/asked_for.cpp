// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer_fields.h"
#include "asked_conversation.h"

#include "ep/json/value_count.h"

#include <algorithm>

namespace ep::attach {

namespace {

using json::Json;

std::optional<int> numberAt(const Json& json, const char* key)
{
    constexpr std::int64_t kMax = 1'000'000'000;
    const Json* member = memberOf(json, key);
    if (member == nullptr || !member->is_number_integer())
        return std::nullopt;
    const auto value = member->get<std::int64_t>();
    return value >= 0 && value <= kMax ? std::optional(static_cast<int>(value)) : std::nullopt;
}

std::string textIn(const Json& content)
{
    Message message;
    addContent(content, message);
    return message.text;
}

// A text, or the last message of a list.
std::string promptIn(const Json& json)
{
    for (const char* key : {"messages", "input", "prompt", "input_prefix"}) {
        const Json* member = memberOf(json, key);
        if (member == nullptr)
            continue;
        if (member->is_string())
            return member->get<std::string>();
        if (!member->is_array() || member->empty())
            continue;
        const Json& last = member->back();
        if (const Json* content = memberOf(last, "content"))
            return textIn(*content);
        return last.is_string() || last.is_object() ? textIn(Json::array({last})) : std::string();
    }
    return {};
}

// Number of prompts times the number of answers to each.
int sequencesIn(const Json& json)
{
    constexpr std::int64_t kMax = 1'000'000;
    std::int64_t sequences = 1;
    for (const char* key : {"n", "best_of"})
        sequences = std::max<std::int64_t>(sequences, numberAt(json, key).value_or(1));
    if (const Json* prompts = memberOf(json, "prompt"); prompts != nullptr && prompts->is_array())
        sequences *= static_cast<std::int64_t>(std::max<std::size_t>(1, prompts->size()));
    return static_cast<int>(std::min(sequences, kMax));
}

} // namespace

namespace {

AskedFor fieldsOf(std::string_view body)
{
    AskedFor asked;
    const auto json = json::parse(body);
    if (!json || !json->is_object())
        return asked;
    asked.model = stringAt(*json, "model");
    asked.prompt = promptIn(*json);
    for (const char* key :
         {"max_tokens", "max_completion_tokens", "max_output_tokens", "n_predict"}) {
        if (const auto most = numberAt(*json, key))
            asked.max_tokens = most;
    }
    if (const Json* options = memberOf(*json, "options")) {
        if (const auto most = numberAt(*options, "num_predict"))
            asked.max_tokens = most;
    }
    asked.sequences = sequencesIn(*json);
    asked.follows = stringAt(*json, "previous_response_id");
    return asked;
}

} // namespace

AskedFor readRequest(std::string_view body)
{
    constexpr std::size_t kMaxValues = 100'000; // more than any long conversation with tools has
    if (json::shapeOf(body).values > kMaxValues)
        return {};
    AskedFor asked = fieldsOf(body);
    asked.conversation = conversationIn(body, asked.prompt);
    if (!asked.conversation.empty())
        asked.prompt = questionOf(asked.conversation);
    return asked;
}

} // namespace ep::attach
