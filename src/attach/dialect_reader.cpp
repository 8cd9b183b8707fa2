// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialect_reader.h"

#include "ep/json/document.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace ep::attach {

namespace {

using json::Json;

constexpr double kMostNanoseconds = 1e17; // three years
constexpr double kMostTokens = 1e12;
constexpr double kMillisecond = 1e6;
constexpr double kSecond = 1e9;

// A member that is missing, null or of another kind is not stated.
const Json* memberOf(const Json& json, const char* key)
{
    const auto found = json.is_object() ? json.find(key) : json.end();
    return !json.is_object() || found == json.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::int64_t> countOf(const Json& json, const char* key)
{
    const Json* member = memberOf(json, key);
    if (member == nullptr || !member->is_number())
        return std::nullopt;
    const double value = member->get<double>();
    if (!(value >= 0.0 && value <= kMostTokens))
        return std::nullopt;
    return static_cast<std::int64_t>(value);
}

std::optional<Nanoseconds> timeOf(const Json& json, const char* key, double unit)
{
    const Json* member = memberOf(json, key);
    if (member == nullptr || !member->is_number())
        return std::nullopt;
    const double value = member->get<double>() * unit;
    if (!(value >= 0.0 && value <= kMostNanoseconds))
        return std::nullopt;
    return std::llround(value);
}

std::string textOf(const Json& json, const char* key)
{
    const Json* member = memberOf(json, key);
    return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

bool isTrue(const Json& json, const char* key)
{
    const Json* member = memberOf(json, key);
    return member != nullptr && member->is_boolean() && member->get<bool>();
}

// {"error": "..."}, {"error": {"message": "..."}} or the inner object alone.
std::string errorOf(const Json& json)
{
    if (const Json* error = memberOf(json, "error")) {
        if (error->is_string())
            return error->get<std::string>();
        const std::string message = textOf(*error, "message");
        return message.empty() ? error->dump(-1, ' ', false, Json::error_handler_t::replace)
                               : message;
    }
    const bool bare = memberOf(json, "code") != nullptr && memberOf(json, "type") != nullptr;
    return bare ? textOf(json, "message") : std::string();
}

// llama.cpp, in all its dialects: prompt_n leaves the cached tokens out.
void addTimings(const Json& json, Figures& figures)
{
    const Json* timings = memberOf(json, "timings");
    if (timings == nullptr)
        return;
    figures.uncached_tokens = countOf(*timings, "prompt_n");
    figures.prompt_ns = timeOf(*timings, "prompt_ms", kMillisecond);
    figures.output_tokens = countOf(*timings, "predicted_n");
    figures.decode_ns = timeOf(*timings, "predicted_ms", kMillisecond);
    figures.cached_tokens = countOf(*timings, "cache_n");
    figures.draft_tokens = countOf(*timings, "draft_n");
    figures.draft_accepted_tokens = countOf(*timings, "draft_n_accepted");
}

// LM Studio; its time to the first token is that of the prompt.
void addStats(const Json& json, Figures& figures)
{
    const Json* stats = memberOf(json, "stats");
    if (stats == nullptr)
        return;
    figures.prompt_ns = timeOf(*stats, "time_to_first_token", kSecond);
    figures.decode_ns = timeOf(*stats, "generation_time", kSecond);
}

void addUsage(const Json& json, Figures& figures)
{
    const Json* usage = memberOf(json, "usage");
    if (usage == nullptr)
        return;
    figures.prompt_tokens = countOf(*usage, "prompt_tokens");
    figures.output_tokens = countOf(*usage, "completion_tokens");
    if (const Json* details = memberOf(*usage, "prompt_tokens_details"))
        figures.cached_tokens = countOf(*details, "cached_tokens");
    if (const Json* details = memberOf(*usage, "completion_tokens_details"))
        figures.reasoning_tokens = countOf(*details, "reasoning_tokens");
}

void addChoice(const Json& choice, Message& message)
{
    message.text = textOf(choice, "text");
    // `delta` of a stream, `message` of a whole answer.
    for (const char* key : {"delta", "message"}) {
        if (const Json* part = memberOf(choice, key)) {
            message.text += textOf(*part, "content");
            message.reasoning = textOf(*part, "reasoning_content");
            if (message.reasoning.empty())
                message.reasoning = textOf(*part, "reasoning");
        }
    }
    message.figures.finish = textOf(choice, "finish_reason");
    message.last = !message.figures.finish.empty();
}

Result<Json> parsed(std::string_view text)
{
    auto json = json::parse(text);
    if (!json)
        return Error{ErrorCode::InvalidInput,
                     "The server's answer is " + json.error().message + "."};
    if (!json->is_object())
        return Error{ErrorCode::InvalidInput, "The server's answer is not a JSON object."};
    return json;
}

} // namespace

Result<Message> readOpenAi(std::string_view text)
{
    Message message;
    if (text == "[DONE]")
        return message;
    const auto json = parsed(text);
    if (!json)
        return json.error();
    message.error = errorOf(*json);
    if (const Json* choices = memberOf(*json, "choices");
        choices != nullptr && choices->is_array() && !choices->empty())
        addChoice(choices->front(), message);
    message.figures.model = textOf(*json, "model");
    addUsage(*json, message.figures);
    addStats(*json, message.figures);
    Figures timings;
    addTimings(*json, timings);
    message.figures.add(timings);
    return message;
}

Result<Message> readOllama(std::string_view text)
{
    const auto json = parsed(text);
    if (!json)
        return json.error();
    Message message;
    message.error = errorOf(*json);
    const Json* chat = memberOf(*json, "message");
    message.text = chat != nullptr ? textOf(*chat, "content") : textOf(*json, "response");
    message.reasoning = textOf(chat != nullptr ? *chat : *json, "thinking");
    message.last = isTrue(*json, "done");
    Figures& figures = message.figures;
    figures.model = textOf(*json, "model");
    figures.finish = textOf(*json, "done_reason");
    figures.prompt_tokens = countOf(*json, "prompt_eval_count");
    figures.cached_tokens = countOf(*json, "prompt_eval_cached_count");
    figures.output_tokens = countOf(*json, "eval_count");
    figures.load_ns = timeOf(*json, "load_duration", 1.0);
    figures.prompt_ns = timeOf(*json, "prompt_eval_duration", 1.0);
    figures.decode_ns = timeOf(*json, "eval_duration", 1.0);
    return message;
}

Result<Message> readLlamaCpp(std::string_view text)
{
    if (text == "[DONE]")
        return Message();
    const auto json = parsed(text);
    if (!json)
        return json.error();
    Message message;
    message.error = errorOf(*json);
    message.text = textOf(*json, "content");
    message.last = isTrue(*json, "stop");
    Figures& figures = message.figures;
    figures.model = textOf(*json, "model");
    figures.finish = textOf(*json, "stop_type");
    if (message.last) { // counts of earlier messages are of that moment
        figures.prompt_tokens = countOf(*json, "tokens_evaluated");
        figures.output_tokens = countOf(*json, "tokens_predicted");
    }
    Figures timings;
    addTimings(*json, timings);
    figures.add(timings);
    return message;
}

} // namespace ep::attach
