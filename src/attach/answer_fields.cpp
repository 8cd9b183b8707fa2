// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer_fields.h"

#include <cmath>

namespace ep::attach {

namespace {

using json::Json;

constexpr double kMaxNanoseconds = 1e17; // three years
constexpr double kMaxTokens = 1e18; // fits into 64 bits; implausible counts are removed later

void addPart(const Json& part, Message& message)
{
    message.generated = true;
    if (part.is_string()) {
        message.text += part.get<std::string>();
        return;
    }
    for (const char* key : {"text", "refusal", "content"}) {
        if (const Json* member = memberOf(part, key); member != nullptr && member->is_string())
            message.text += member->get<std::string>();
    }
    if (const Json* thinking = memberOf(part, "thinking")) {
        Message inner;
        addContent(*thinking, inner);
        message.aside += inner.aside + inner.text;
        message.thought = true;
    }
    for (const char* key : {"name", "arguments", "input"}) { // a tool call
        if (const Json* member = memberOf(part, key))
            message.aside +=
                member->is_string() ? member->get<std::string>() : json::textOf(*member);
    }
}

} // namespace

std::optional<std::int64_t> countAt(const Json& json, const char* key)
{
    const Json* member = memberOf(json, key);
    if (member == nullptr || !member->is_number())
        return std::nullopt;
    const double value = member->get<double>();
    if (!(value >= 0.0 && value <= kMaxTokens))
        return std::nullopt;
    return static_cast<std::int64_t>(value);
}

std::optional<Nanoseconds> timeAt(const Json& json, const char* key, double unit)
{
    const Json* member = memberOf(json, key);
    if (member == nullptr || !member->is_number())
        return std::nullopt;
    const double value = member->get<double>() * unit;
    if (!(value >= 0.0 && value <= kMaxNanoseconds))
        return std::nullopt;
    return std::llround(value);
}

bool isTrueAt(const Json& json, const char* key)
{
    const Json* member = memberOf(json, key);
    return member != nullptr && member->is_boolean() && member->get<bool>();
}

std::string complaintOf(const Json& json)
{
    if (const Json* error = memberOf(json, "error")) {
        if (error->is_string())
            return error->get<std::string>();
        const std::string message = stringAt(*error, "message");
        return message.empty() ? json::textOf(*error) : message;
    }
    const bool bare = memberOf(json, "code") != nullptr && memberOf(json, "type") != nullptr;
    return bare ? stringAt(json, "message") : std::string();
}

Result<Json> parsedMessage(std::string_view text)
{
    auto json = json::parse(text);
    if (!json)
        return Error{ErrorCode::InvalidInput, {"The server's answer is %1.", json.error().message}};
    if (!json->is_object())
        return Error{ErrorCode::InvalidInput, "The server's answer is not a JSON object."};
    return json;
}

void addTimings(const Json& json, Figures& figures)
{
    for (const Json* place : {&json, memberOf(json, "response"), memberOf(json, "message"),
                              memberOf(json, "result"), memberOf(json, "usage")}) {
        const Json* timings = place != nullptr ? memberOf(*place, "timings") : nullptr;
        if (timings == nullptr)
            continue;
        Figures stated;
        stated.uncached_tokens = countAt(*timings, "prompt_n"); // without cached tokens
        stated.prompt_ns = timeAt(*timings, "prompt_ms", kMillisecondUnit);
        stated.output_tokens = countAt(*timings, "predicted_n");
        stated.decode_ns = timeAt(*timings, "predicted_ms", kMillisecondUnit);
        stated.cached_tokens = countAt(*timings, "cache_n");
        stated.draft_tokens = countAt(*timings, "draft_n");
        stated.draft_accepted_tokens = countAt(*timings, "draft_n_accepted");
        figures.add(stated);
    }
}

void addContent(const Json& content, Message& message)
{
    if (content.is_string()) {
        message.text += content.get<std::string>();
    } else if (content.is_array()) {
        for (const Json& part : content)
            addPart(part, message);
    }
}

void addToolCalls(const Json& from, Message& message)
{
    const auto addFunction = [&](const Json& function) {
        message.generated = true;
        for (const char* key : {"name", "arguments"}) {
            if (const Json* member = memberOf(function, key))
                message.aside +=
                    member->is_string() ? member->get<std::string>() : json::textOf(*member);
        }
    };
    if (const Json* calls = memberOf(from, "tool_calls"); calls != nullptr && calls->is_array()) {
        for (const Json& call : *calls) {
            const Json* function = memberOf(call, "function");
            addFunction(function != nullptr ? *function : call);
        }
    }
    if (const Json* function = memberOf(from, "function_call"))
        addFunction(*function);
}

} // namespace ep::attach
