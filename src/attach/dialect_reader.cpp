// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialect_reader.h"

#include "answer_fields.h"

#include <algorithm>
#include <string>

namespace ep::attach {

namespace {

using json::Json;

// LM Studio's statistics; its time to the first token is the time of the prompt.
void addStats(const Json& json, Figures& figures)
{
    const Json* stats = memberOf(json, "stats");
    if (stats == nullptr)
        return;
    figures.prompt_ns = timeAt(*stats, "time_to_first_token", kSecondUnit);
    figures.decode_ns = timeAt(*stats, "generation_time", kSecondUnit);
}

// oMLX adds its times, in seconds, and the cached tokens to the usage.
void addUsage(const Json& json, Figures& figures)
{
    const Json* usage = memberOf(json, "usage");
    if (usage == nullptr)
        return;
    figures.prompt_tokens = countAt(*usage, "prompt_tokens");
    figures.output_tokens = countAt(*usage, "completion_tokens");
    figures.cached_tokens = countAt(*usage, "cached_tokens");
    if (const Json* details = memberOf(*usage, "prompt_tokens_details"))
        figures.cached_tokens = countAt(*details, "cached_tokens");
    if (const Json* details = memberOf(*usage, "completion_tokens_details"))
        figures.reasoning_tokens = countAt(*details, "reasoning_tokens");
    figures.load_ns = timeAt(*usage, "model_load_duration", kSecondUnit);
    figures.prompt_ns = timeAt(*usage, "prompt_eval_duration", kSecondUnit);
    figures.decode_ns = timeAt(*usage, "generation_duration", kSecondUnit);
}

void addChoice(const Json& choice, Message& message)
{
    message.text = stringAt(choice, "text");
    // `delta` in a stream, `message` in a whole answer.
    for (const char* key : {"delta", "message"}) {
        const Json* part = memberOf(choice, key);
        if (part == nullptr)
            continue;
        if (const Json* content = memberOf(*part, "content"))
            addContent(*content, message);
        message.text += stringAt(*part, "refusal");
        const std::string reasoning = stringAt(*part, "reasoning_content");
        message.aside += reasoning.empty() ? stringAt(*part, "reasoning") : reasoning;
        message.thought = !message.aside.empty();
        addToolCalls(*part, message);
    }
    message.figures.finish = stringAt(choice, "finish_reason");
    message.last = !message.figures.finish.empty();
}

// The engine of mlx_lm.server: "0.32.2-0.32.4-macOS-26.1-arm64-applegpu_g16p" begins with the
// versions of mlx-lm and MLX.
std::string engineIn(const std::string& fingerprint)
{
    const std::size_t first = fingerprint.find('-');
    const std::size_t second =
        first == std::string::npos ? first : fingerprint.find('-', first + 1);
    if (second == std::string::npos)
        return {};
    const auto isVersion = [](std::string_view text) {
        return !text.empty() && text.front() >= '0' && text.front() <= '9'
            && std::ranges::count(text, '.') >= 2
            && text.find_first_not_of("0123456789.abcdevrpost+") == std::string_view::npos;
    };
    const std::string version = fingerprint.substr(0, first);
    const bool both =
        isVersion(version) && isVersion(fingerprint.substr(first + 1, second - first - 1));
    return both ? "MLX " + version : std::string();
}

} // namespace

Result<Message> readOpenAi(std::string_view text)
{
    Message message;
    const auto json = parsedMessage(text);
    if (!json)
        return json.error();
    message.error = complaintOf(*json);
    if (const Json* choices = memberOf(*json, "choices");
        choices != nullptr && choices->is_array() && !choices->empty())
        addChoice(choices->front(), message);
    message.figures.model = stringAt(*json, "model");
    message.figures.engine = engineIn(stringAt(*json, "system_fingerprint"));
    addUsage(*json, message.figures);
    Figures stated;
    addStats(*json, stated);
    message.figures.add(stated);
    addTimings(*json, message.figures);
    return message;
}

Result<Message> readOllama(std::string_view text)
{
    const auto json = parsedMessage(text);
    if (!json)
        return json.error();
    Message message;
    message.error = complaintOf(*json);
    const Json* chat = memberOf(*json, "message");
    message.text = chat != nullptr ? stringAt(*chat, "content") : stringAt(*json, "response");
    message.aside = stringAt(chat != nullptr ? *chat : *json, "thinking");
    message.thought = !message.aside.empty();
    if (chat != nullptr)
        addToolCalls(*chat, message);
    message.last = isTrueAt(*json, "done");
    Figures& figures = message.figures;
    figures.model = stringAt(*json, "model");
    figures.finish = stringAt(*json, "done_reason");
    figures.prompt_tokens = countAt(*json, "prompt_eval_count");
    figures.cached_tokens = countAt(*json, "prompt_eval_cached_count");
    figures.output_tokens = countAt(*json, "eval_count");
    figures.load_ns = timeAt(*json, "load_duration", kNanosecondUnit);
    figures.prompt_ns = timeAt(*json, "prompt_eval_duration", kNanosecondUnit);
    figures.decode_ns = timeAt(*json, "eval_duration", kNanosecondUnit);
    addTimings(*json, figures);
    return message;
}

Result<Message> readLlamaCpp(std::string_view text)
{
    const auto json = parsedMessage(text);
    if (!json)
        return json.error();
    Message message;
    message.error = complaintOf(*json);
    message.text = stringAt(*json, "content");
    message.last = isTrueAt(*json, "stop");
    Figures& figures = message.figures;
    figures.model = stringAt(*json, "model");
    figures.finish = stringAt(*json, "stop_type");
    if (message.last) { // earlier messages only have the counts up to then
        figures.prompt_tokens = countAt(*json, "tokens_evaluated");
        figures.output_tokens = countAt(*json, "tokens_predicted");
    }
    addTimings(*json, figures);
    return message;
}

} // namespace ep::attach
