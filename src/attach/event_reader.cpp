// SPDX-License-Identifier: GPL-3.0-or-later
// Answers as events with a `type`, and the same answers as one document.
#include "answer_fields.h"
#include "dialect_reader.h"

#include <string>
#include <string_view>

namespace ep::attach {

namespace {

using json::Json;

// Input tokens exclude tokens that were read from the cache or written to it.
void addAnthropicUsage(const Json& from, Figures& figures)
{
    const Json* usage = memberOf(from, "usage");
    if (usage == nullptr)
        return;
    figures.output_tokens = countAt(*usage, "output_tokens");
    const auto fresh = countAt(*usage, "input_tokens");
    const auto cached = countAt(*usage, "cache_read_input_tokens");
    if (!fresh)
        return;
    const std::int64_t computed =
        *fresh + countAt(*usage, "cache_creation_input_tokens").value_or(0);
    figures.cached_tokens = cached;
    figures.prompt_tokens = computed + cached.value_or(0);
}

void addResponsesUsage(const Json& from, Figures& figures)
{
    const Json* usage = memberOf(from, "usage");
    if (usage == nullptr)
        return;
    figures.prompt_tokens = countAt(*usage, "input_tokens");
    figures.output_tokens = countAt(*usage, "output_tokens");
    if (const Json* details = memberOf(*usage, "input_tokens_details"))
        figures.cached_tokens = countAt(*details, "cached_tokens");
    if (const Json* details = memberOf(*usage, "output_tokens_details"))
        figures.reasoning_tokens = countAt(*details, "reasoning_tokens");
}

// Adds the items of a whole answer.
void addOutput(const Json& from, Message& message)
{
    const Json* output = memberOf(from, "output");
    if (output == nullptr || !output->is_array())
        return;
    for (const Json& item : *output) {
        const std::string type = stringAt(item, "type");
        Message part;
        for (const char* key : {"content", "summary"}) {
            if (const Json* content = memberOf(item, key))
                addContent(*content, part);
        }
        if (type == "reasoning")
            part.aside += std::exchange(part.text, {});
        for (const char* key : {"name", "tool", "arguments"})
            part.aside += stringAt(item, key);
        message.text += part.text;
        message.aside += part.aside;
        message.generated = true;
    }
}

void endResponse(const Json& response, Message& message)
{
    message.last = true;
    message.figures.id = stringAt(response, "id");
    message.figures.model = stringAt(response, "model");
    message.figures.finish = stringAt(response, "status");
    if (const Json* details = memberOf(response, "incomplete_details"))
        message.figures.finish = stringAt(*details, "reason");
    addResponsesUsage(response, message.figures);
}

void endLmStudio(const Json& result, Message& message)
{
    message.last = true;
    Figures& figures = message.figures;
    figures.model = stringAt(result, "model_instance_id");
    figures.id = stringAt(result, "response_id");
    if (const Json* stats = memberOf(result, "stats")) {
        figures.prompt_tokens = countAt(*stats, "input_tokens");
        figures.output_tokens = countAt(*stats, "total_output_tokens");
        figures.reasoning_tokens = countAt(*stats, "reasoning_output_tokens");
        figures.load_ns = timeAt(*stats, "model_load_time_seconds", kSecondUnit);
        figures.prompt_ns = timeAt(*stats, "time_to_first_token_seconds", kSecondUnit);
    }
}

} // namespace

Result<Message> readAnthropic(std::string_view text)
{
    const auto json = parsedMessage(text);
    if (!json)
        return json.error();
    Message message;
    message.error = complaintOf(*json);
    const std::string type = stringAt(*json, "type");
    if (type == "message_start") {
        if (const Json* start = memberOf(*json, "message")) {
            message.figures.model = stringAt(*start, "model");
            addAnthropicUsage(*start, message.figures);
        }
    } else if (type == "content_block_start") {
        // A tool call's name is generated, too; a block of text begins empty.
        if (const Json* block = memberOf(*json, "content_block")) {
            message.aside = stringAt(*block, "name");
            message.text = stringAt(*block, "text");
        }
    } else if (type == "content_block_delta") {
        if (const Json* delta = memberOf(*json, "delta")) {
            message.generated = stringAt(*delta, "type") != "signature_delta";
            message.text = stringAt(*delta, "text");
            message.aside = stringAt(*delta, "thinking") + stringAt(*delta, "partial_json");
            message.thought = !stringAt(*delta, "thinking").empty();
        }
    } else if (type == "message_delta") {
        if (const Json* delta = memberOf(*json, "delta"))
            message.figures.finish = stringAt(*delta, "stop_reason");
        message.last = !message.figures.finish.empty();
        addAnthropicUsage(*json, message.figures);
    } else if (type == "message_stop") {
        message.last = true;
    } else if (type == "message") {
        if (const Json* content = memberOf(*json, "content"))
            addContent(*content, message);
        message.figures.model = stringAt(*json, "model");
        message.figures.finish = stringAt(*json, "stop_reason");
        message.last = true;
        addAnthropicUsage(*json, message.figures);
    }
    addTimings(*json, message.figures);
    return message;
}

Result<Message> readResponses(std::string_view text)
{
    const auto json = parsedMessage(text);
    if (!json)
        return json.error();
    Message message;
    const std::string type = stringAt(*json, "type");
    const Json* response = memberOf(*json, "response");
    if (type == "error") {
        message.error = stringAt(*json, "message");
        if (message.error.empty())
            message.error = complaintOf(*json);
    } else if (type == "response.output_text.delta" || type == "response.refusal.delta") {
        message.generated = true;
        message.text = stringAt(*json, "delta");
    } else if (type.starts_with("response.") && type.ends_with(".delta")) {
        message.generated = true; // reasoning, or arguments of tool calls
        message.thought = type.starts_with("response.reasoning");
        message.aside = stringAt(*json, "delta");
    } else if (type == "response.failed" && response != nullptr) {
        message.error = complaintOf(*response);
        if (message.error.empty())
            message.error = "the response failed";
    } else if (type == "response.output_item.added") {
        // A tool call's name is generated, too.
        if (const Json* item = memberOf(*json, "item");
            item != nullptr && stringAt(*item, "type") == "function_call")
            message.aside = stringAt(*item, "name");
    } else if ((type == "response.completed" || type == "response.incomplete"
                || type == "response.cancelled")
               && response != nullptr) {
        endResponse(*response, message);
    } else if (stringAt(*json, "object") == "response") {
        message.error = complaintOf(*json);
        addOutput(*json, message);
        endResponse(*json, message);
    } else if (type.empty()) {
        message.error = complaintOf(*json);
    }
    addTimings(*json, message.figures);
    return message;
}

Result<Message> readLmStudio(std::string_view text)
{
    const auto json = parsedMessage(text);
    if (!json)
        return json.error();
    Message message;
    message.error = complaintOf(*json);
    const std::string type = stringAt(*json, "type");
    if (type == "message.delta" || type == "reasoning.delta") {
        message.generated = true;
        message.thought = type == "reasoning.delta";
        (type == "message.delta" ? message.text : message.aside) = stringAt(*json, "content");
    } else if (type == "chat.end") {
        if (const Json* result = memberOf(*json, "result"))
            endLmStudio(*result, message);
    } else if (type.empty() && memberOf(*json, "output") != nullptr) {
        addOutput(*json, message);
        endLmStudio(*json, message);
    }
    addTimings(*json, message.figures);
    return message;
}

} // namespace ep::attach
