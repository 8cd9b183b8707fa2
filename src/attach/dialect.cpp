// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/dialect.h"

#include "dialect_reader.h"

#include "ep/json/conversation.h"
#include "ep/json/document.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace ep::attach {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::uint64_t kMaxSeed = 0x7FFFFFFF; // fits into the seed of every server

std::string textOf(const OrderedJson& json)
{
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// Adds {"temperature": ...} and others under the names that Ollama and llama.cpp share.
void addSampling(const Ask& ask, OrderedJson& json)
{
    json["temperature"] = ask.temperature;
    if (ask.top_k > 0)
        json["top_k"] = ask.top_k;
    if (ask.top_p < 1.0)
        json["top_p"] = ask.top_p;
    if (ask.repetition_penalty != 1.0)
        json["repeat_penalty"] = ask.repetition_penalty;
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
    json["temperature"] = ask.temperature;
    if (ask.top_k > 0)
        json["top_k"] = ask.top_k;
    if (ask.top_p < 1.0)
        json["top_p"] = ask.top_p;
    if (ask.repetition_penalty != 1.0)
        json["repetition_penalty"] = ask.repetition_penalty;
    json["seed"] = std::min(ask.seed, kMaxSeed);
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
    return textOf(json);
}

std::string openAiTextBody(const Ask& ask)
{
    OrderedJson json = openAiBody(ask);
    json["prompt"] = ask.prompt;
    return textOf(json);
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
    return textOf(json);
}

std::string ollamaGenerateBody(const Ask& ask)
{
    OrderedJson json = ollamaBody(ask);
    json["prompt"] = ask.prompt;
    if (!ask.system.empty())
        json["system"] = ask.system;
    return textOf(json);
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
    return textOf(json);
}

// The text before the gap; there is none after it.
std::string infillBody(const Ask& ask)
{
    OrderedJson json = llamaCppSettings(ask);
    json["input_prefix"] = ask.prompt;
    json["input_suffix"] = "";
    return textOf(json);
}

std::string anthropicBody(const Ask& ask)
{
    OrderedJson json{{"model", ask.model}, {"max_tokens", ask.max_tokens}};
    if (!ask.system.empty())
        json["system"] = ask.system;
    json["messages"] = {{{"role", "user"}, {"content", ask.prompt}}};
    json["temperature"] = ask.temperature;
    json["stream"] = true;
    return textOf(json);
}

std::string responsesBody(const Ask& ask)
{
    OrderedJson json{{"model", ask.model}, {"input", ask.prompt}};
    if (!ask.system.empty())
        json["instructions"] = ask.system;
    json["max_output_tokens"] = ask.max_tokens;
    json["temperature"] = ask.temperature;
    json["stream"] = true;
    return textOf(json);
}

std::string lmStudioBody(const Ask& ask)
{
    OrderedJson json{{"model", ask.model}, {"input", ask.prompt}};
    if (!ask.system.empty())
        json["system_prompt"] = ask.system;
    json["max_output_tokens"] = ask.max_tokens;
    json["temperature"] = ask.temperature;
    json["stream"] = true;
    json["store"] = false;
    return textOf(json);
}

constexpr std::array kDialects{
    Dialect{"openai-chat", "OpenAI-compatible, chat", "/v1/chat/completions", "/chat/completions",
            true, openAiChatBody, readOpenAi},
    Dialect{"openai", "OpenAI-compatible, text", "/v1/completions", "", false, openAiTextBody,
            readOpenAi},
    Dialect{"responses", "OpenAI-compatible, responses", "/v1/responses", "/responses", true,
            responsesBody, readResponses},
    Dialect{"anthropic", "Anthropic-compatible, messages", "/v1/messages", "", true, anthropicBody,
            readAnthropic},
    Dialect{"lmstudio-chat", "LM Studio, chat", "/api/v0/chat/completions", "", true,
            openAiChatBody, readOpenAi},
    Dialect{"lmstudio", "LM Studio, text", "/api/v0/completions", "", false, openAiTextBody,
            readOpenAi},
    Dialect{"lmstudio-v1", "LM Studio, chat of version 1", "/api/v1/chat", "", true, lmStudioBody,
            readLmStudio},
    Dialect{"ollama-chat", "Ollama, chat", "/api/chat", "", true, ollamaChatBody, readOllama},
    Dialect{"ollama", "Ollama, text", "/api/generate", "", false, ollamaGenerateBody, readOllama},
    Dialect{"llamacpp", "llama.cpp", "/completion", "/completions", false, llamaCppBody,
            readLlamaCpp},
    Dialect{"infill", "llama.cpp, infill", "/infill", "", false, infillBody, readLlamaCpp},
};

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
