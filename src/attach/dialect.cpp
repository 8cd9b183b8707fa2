// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/dialect.h"

#include "answer_fields.h"

#include "ep/json/conversation.h"
#include "ep/json/document.h"

#include <algorithm>
#include <array>

namespace ep::attach {
namespace {

using OrderedJson = json::OrderedJson;

constexpr std::uint64_t kMaxSeed = 0x7FFFFFFF; // fits into the seed of every server

// Adds {"temperature": ...} and others. Servers call only the penalty by different names.
void addSampling(const Ask& ask, OrderedJson& json, const char* penalty = "repeat_penalty")
{
    json["temperature"] = ask.temperature;
    if (ask.top_k > 0)
        json["top_k"] = ask.top_k;
    if (ask.top_p < 1.0)
        json["top_p"] = ask.top_p;
    if (ask.repetition_penalty != 1.0)
        json[penalty] = ask.repetition_penalty;
    json["seed"] = std::min(ask.seed, kMaxSeed);
}

Conversation conversationOf(const Ask& ask)
{
    return ask.conversation.empty() ? json::promptConversation(ask.system, ask.prompt)
                                    : ask.conversation;
}

// Adds messages unchanged. Template variables have the name that llama.cpp, vLLM and MLX know; the
// reasoning effort is also where OpenAI expects it.
void addConversation(const Ask& ask, OrderedJson& json)
{
    const Conversation conversation = conversationOf(ask);
    json["messages"] = json::messagesJson(conversation);
    if (!conversation.tools.empty())
        json["tools"] = json::parsedOrNull(conversation.tools);
    if (conversation.variables.empty())
        return;
    OrderedJson variables = json::parsedOrNull(conversation.variables);
    if (const auto effort = variables.find("reasoning_effort"); effort != variables.end())
        json["reasoning_effort"] = *effort;
    json["chat_template_kwargs"] = std::move(variables);
}

// Ollama expects contents as texts and arguments as objects, and has one switch for all ways to
// control reasoning.
void addOllamaConversation(const Ask& ask, OrderedJson& json)
{
    const Conversation conversation = conversationOf(ask);
    json["messages"] = json::plainMessagesJson(conversation);
    if (!conversation.tools.empty())
        json["tools"] = json::parsedOrNull(conversation.tools);
    const OrderedJson variables = json::parsedOrNull(conversation.variables);
    for (const char* const name : {"reasoning_effort", "enable_thinking", "thinking"}) {
        if (variables.is_object() && variables.contains(name)) {
            json["think"] = variables.at(name);
            return;
        }
    }
}

// Servers ignore fields that they do not know.
OrderedJson openAiBody(const Ask& ask)
{
    OrderedJson json = OrderedJson::object();
    if (!ask.model.empty())
        json["model"] = ask.model;
    json["max_tokens"] = ask.max_tokens;
    addSampling(ask, json, "repetition_penalty");
    if (ask.ignore_end)
        json["ignore_eos"] = true;
    json["stream"] = true;
    json["stream_options"] = {{"include_usage", true}};
    return json;
}

std::string openAiChatBody(const Ask& ask)
{
    OrderedJson json = openAiBody(ask);
    addConversation(ask, json);
    return json::textOf(json);
}

std::string openAiTextBody(const Ask& ask)
{
    OrderedJson json = openAiBody(ask);
    json["prompt"] = ask.prompt;
    return json::textOf(json);
}

OrderedJson ollamaBody(const Ask& ask)
{
    OrderedJson json{{"model", ask.model}, {"stream", true}};
    OrderedJson options{{"num_predict", ask.max_tokens}};
    addSampling(ask, options);
    json["options"] = std::move(options);
    return json;
}

std::string ollamaChatBody(const Ask& ask)
{
    OrderedJson json = ollamaBody(ask);
    addOllamaConversation(ask, json);
    return json::textOf(json);
}

std::string ollamaGenerateBody(const Ask& ask)
{
    OrderedJson json = ollamaBody(ask);
    json["prompt"] = ask.prompt;
    if (!ask.system.empty())
        json["system"] = ask.system;
    return json::textOf(json);
}

// Turns off the prompt cache, so that repeats do the same work. A server with several models
// requires a name, one with a single model ignores it.
OrderedJson llamaCppSettings(const Ask& ask)
{
    OrderedJson json = OrderedJson::object();
    if (!ask.model.empty())
        json["model"] = ask.model;
    json["n_predict"] = ask.max_tokens;
    json["stream"] = true;
    json["cache_prompt"] = false;
    addSampling(ask, json);
    if (ask.ignore_end)
        json["ignore_eos"] = true;
    return json;
}

std::string llamaCppBody(const Ask& ask)
{
    OrderedJson json = llamaCppSettings(ask);
    json["prompt"] = ask.prompt;
    return json::textOf(json);
}

// Sends the prompt as the text before the gap; no text follows the gap.
std::string infillBody(const Ask& ask)
{
    OrderedJson json = llamaCppSettings(ask);
    json["input_prefix"] = ask.prompt;
    json["input_suffix"] = "";
    return json::textOf(json);
}

std::string anthropicBody(const Ask& ask)
{
    OrderedJson json{{"model", ask.model}, {"max_tokens", ask.max_tokens}};
    if (!ask.system.empty())
        json["system"] = ask.system;
    json["messages"] = {{{"role", "user"}, {"content", ask.prompt}}};
    json["temperature"] = ask.temperature;
    json["stream"] = true;
    return json::textOf(json);
}

OrderedJson inputBody(const Ask& ask, const char* system)
{
    OrderedJson json{{"model", ask.model}, {"input", ask.prompt}};
    if (!ask.system.empty())
        json[system] = ask.system;
    json["max_output_tokens"] = ask.max_tokens;
    json["temperature"] = ask.temperature;
    json["stream"] = true;
    return json;
}

std::string responsesBody(const Ask& ask)
{
    return json::textOf(inputBody(ask, "instructions"));
}

std::string lmStudioBody(const Ask& ask)
{
    OrderedJson json = inputBody(ask, "system_prompt");
    json["store"] = false;
    return json::textOf(json);
}

void take(std::optional<std::int64_t>& value, const std::optional<std::int64_t>& newer)
{
    // Some servers and gateways fill in zeros for what they stated before.
    if (newer && (*newer != 0 || !value))
        value = newer;
}

void take(std::string& value, const std::string& newer)
{
    if (!newer.empty())
        value = newer;
}

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

// Chat and text completions: vLLM, LM Studio, MLX, llama.cpp, Ollama and others.
void readOpenAi(const Json& json, Message& message)
{
    message.error = complaintOf(json);
    if (const Json* choices = memberOf(json, "choices");
        choices != nullptr && choices->is_array() && !choices->empty())
        addChoice(choices->front(), message);
    message.figures.model = stringAt(json, "model");
    message.figures.engine = engineIn(stringAt(json, "system_fingerprint"));
    addUsage(json, message.figures);
    Figures stated;
    addStats(json, stated);
    message.figures.add(stated);
}

// /api/chat and /api/generate
void readOllama(const Json& json, Message& message)
{
    message.error = complaintOf(json);
    const Json* chat = memberOf(json, "message");
    message.text = chat != nullptr ? stringAt(*chat, "content") : stringAt(json, "response");
    message.aside = stringAt(chat != nullptr ? *chat : json, "thinking");
    message.thought = !message.aside.empty();
    if (chat != nullptr)
        addToolCalls(*chat, message);
    message.last = isTrueAt(json, "done");
    Figures& figures = message.figures;
    figures.model = stringAt(json, "model");
    figures.finish = stringAt(json, "done_reason");
    figures.prompt_tokens = countAt(json, "prompt_eval_count");
    figures.cached_tokens = countAt(json, "prompt_eval_cached_count");
    figures.output_tokens = countAt(json, "eval_count");
    figures.load_ns = timeAt(json, "load_duration", kNanosecondUnit);
    figures.prompt_ns = timeAt(json, "prompt_eval_duration", kNanosecondUnit);
    figures.decode_ns = timeAt(json, "eval_duration", kNanosecondUnit);
}

// /completion and /infill
void readLlamaCpp(const Json& json, Message& message)
{
    message.error = complaintOf(json);
    message.text = stringAt(json, "content");
    message.last = isTrueAt(json, "stop");
    Figures& figures = message.figures;
    figures.model = stringAt(json, "model");
    figures.finish = stringAt(json, "stop_type");
    if (message.last) { // earlier messages only have the counts up to then
        figures.prompt_tokens = countAt(json, "tokens_evaluated");
        figures.output_tokens = countAt(json, "tokens_predicted");
    }
}

// Anthropic's answers: events with a `type`, or one document.

void readAnthropic(const Json& json, Message& message)
{
    message.error = complaintOf(json);
    const std::string type = stringAt(json, "type");
    if (type == "message_start") {
        if (const Json* start = memberOf(json, "message")) {
            message.figures.model = stringAt(*start, "model");
            addAnthropicUsage(*start, message.figures);
        }
    } else if (type == "content_block_start") {
        // A tool call's name is generated, too; a block of text begins empty.
        if (const Json* block = memberOf(json, "content_block")) {
            message.aside = stringAt(*block, "name");
            message.text = stringAt(*block, "text");
        }
    } else if (type == "content_block_delta") {
        if (const Json* delta = memberOf(json, "delta")) {
            message.generated = stringAt(*delta, "type") != "signature_delta";
            message.text = stringAt(*delta, "text");
            message.aside = stringAt(*delta, "thinking") + stringAt(*delta, "partial_json");
            message.thought = !stringAt(*delta, "thinking").empty();
        }
    } else if (type == "message_delta") {
        if (const Json* delta = memberOf(json, "delta"))
            message.figures.finish = stringAt(*delta, "stop_reason");
        message.last = !message.figures.finish.empty();
        addAnthropicUsage(json, message.figures);
    } else if (type == "message_stop") {
        message.last = true;
    } else if (type == "message") {
        if (const Json* content = memberOf(json, "content"))
            addContent(*content, message);
        message.figures.model = stringAt(json, "model");
        message.figures.finish = stringAt(json, "stop_reason");
        message.last = true;
        addAnthropicUsage(json, message.figures);
    }
}

void readResponses(const Json& json, Message& message)
{
    const std::string type = stringAt(json, "type");
    const Json* response = memberOf(json, "response");
    if (type == "error") {
        message.error = stringAt(json, "message");
        if (message.error.empty())
            message.error = complaintOf(json);
    } else if (type == "response.output_text.delta" || type == "response.refusal.delta") {
        message.generated = true;
        message.text = stringAt(json, "delta");
    } else if (type.starts_with("response.") && type.ends_with(".delta")) {
        message.generated = true; // reasoning, or arguments of tool calls
        message.thought = type.starts_with("response.reasoning");
        message.aside = stringAt(json, "delta");
    } else if (type == "response.failed" && response != nullptr) {
        message.error = complaintOf(*response);
        if (message.error.empty())
            message.error = "the response failed";
    } else if (type == "response.output_item.added") {
        // A tool call's name is generated, too.
        if (const Json* item = memberOf(json, "item");
            item != nullptr && stringAt(*item, "type") == "function_call")
            message.aside = stringAt(*item, "name");
    } else if ((type == "response.completed" || type == "response.incomplete"
                || type == "response.cancelled")
               && response != nullptr) {
        endResponse(*response, message);
    } else if (stringAt(json, "object") == "response") {
        message.error = complaintOf(json);
        addOutput(json, message);
        endResponse(json, message);
    } else if (type.empty()) {
        message.error = complaintOf(json);
    }
}

// /api/v1/chat
void readLmStudio(const Json& json, Message& message)
{
    message.error = complaintOf(json);
    const std::string type = stringAt(json, "type");
    if (type == "message.delta" || type == "reasoning.delta") {
        message.generated = true;
        message.thought = type == "reasoning.delta";
        (type == "message.delta" ? message.text : message.aside) = stringAt(json, "content");
    } else if (type == "chat.end") {
        if (const Json* result = memberOf(json, "result"))
            endLmStudio(*result, message);
    } else if (type.empty() && memberOf(json, "output") != nullptr) {
        addOutput(json, message);
        endLmStudio(json, message);
    }
}

// The message that a text contains.
template <void (*read)(const Json&, Message&)>
Result<Message> messageIn(std::string_view text)
{
    const auto json = parsedMessage(text);
    if (!json)
        return json.error();
    Message message;
    read(*json, message);
    addTimings(*json, message.figures);
    return message;
}

constexpr std::array kDialects{
    Dialect{"openai-chat", "OpenAI-compatible, chat", "/v1/chat/completions", "/chat/completions",
            true, openAiChatBody, messageIn<readOpenAi>},
    Dialect{"openai", "OpenAI-compatible, text", "/v1/completions", "", false, openAiTextBody,
            messageIn<readOpenAi>},
    Dialect{"responses", "OpenAI-compatible, responses", "/v1/responses", "/responses", true,
            responsesBody, messageIn<readResponses>},
    Dialect{"anthropic", "Anthropic-compatible, messages", "/v1/messages", "", true, anthropicBody,
            messageIn<readAnthropic>},
    Dialect{"lmstudio-chat", "LM Studio, chat", "/api/v0/chat/completions", "", true,
            openAiChatBody, messageIn<readOpenAi>},
    Dialect{"lmstudio", "LM Studio, text", "/api/v0/completions", "", false, openAiTextBody,
            messageIn<readOpenAi>},
    Dialect{"lmstudio-v1", "LM Studio, chat of version 1", "/api/v1/chat", "", true, lmStudioBody,
            messageIn<readLmStudio>},
    Dialect{"ollama-chat", "Ollama, chat", "/api/chat", "", true, ollamaChatBody,
            messageIn<readOllama>},
    Dialect{"ollama", "Ollama, text", "/api/generate", "", false, ollamaGenerateBody,
            messageIn<readOllama>},
    Dialect{"llamacpp", "llama.cpp", "/completion", "/completions", false, llamaCppBody,
            messageIn<readLlamaCpp>},
    Dialect{"infill", "llama.cpp, infill", "/infill", "", false, infillBody,
            messageIn<readLlamaCpp>},
};

} // namespace

void Figures::add(const Figures& newer)
{
    take(prompt_tokens, newer.prompt_tokens);
    take(cached_tokens, newer.cached_tokens);
    take(uncached_tokens, newer.uncached_tokens);
    take(output_tokens, newer.output_tokens);
    take(reasoning_tokens, newer.reasoning_tokens);
    take(draft_tokens, newer.draft_tokens);
    take(draft_accepted_tokens, newer.draft_accepted_tokens);
    take(load_ns, newer.load_ns);
    take(prompt_ns, newer.prompt_ns);
    take(decode_ns, newer.decode_ns);
    take(finish, newer.finish);
    take(model, newer.model);
    take(engine, newer.engine);
    take(id, newer.id);
}

void Figures::complete()
{
    const auto difference = [](const auto& whole, const auto& part) {
        return whole && part && *whole >= *part ? std::optional(*whole - *part) : std::nullopt;
    };
    if (!uncached_tokens)
        uncached_tokens = difference(prompt_tokens, cached_tokens);
    if (!cached_tokens)
        cached_tokens = difference(prompt_tokens, uncached_tokens);
    if (!prompt_tokens && cached_tokens && uncached_tokens)
        prompt_tokens = *cached_tokens + *uncached_tokens;
}

std::span<const Dialect> dialects()
{
    return kDialects;
}

const Dialect* dialectFromId(std::string_view id)
{
    const auto found = std::ranges::find(
        kDialects, id, [](const Dialect& dialect) { return std::string_view(dialect.id); });
    return found == kDialects.end() ? nullptr : &*found;
}

const Dialect* dialectOfPath(std::string_view path)
{
    const auto found = std::ranges::find_if(kDialects, [&](const Dialect& dialect) {
        return path == dialect.path || (!path.empty() && path == dialect.other_path);
    });
    return found == kDialects.end() ? nullptr : &*found;
}

} // namespace ep::attach
