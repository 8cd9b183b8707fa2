// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/text/chat_template.h"

#include "jinja/lexer.h"
#include "jinja/render_limits.h"
#include "jinja/template.h"

#include "ep/core/mapped_file.h"
#include "ep/json/conversation.h"
#include "ep/json/document.h"
#include "ep/json/gguf.h"
#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace ep::text {
namespace {

// Converts messages to the form that a template reads. OpenAI's API has two forms for the content
// of a message and two for the arguments of a call; many templates read only one of each, so
// servers convert them.

// Which form of content a template reads: text, or a list of parts.
struct ContentForm {
    bool texts = true;
    bool parts = false;
};

// Some templates read parts in every message except the system message.
struct ContentForms {
    ContentForm system{};
    ContentForm others{};
};

using json::OrderedJson;

OrderedJson partsOf(const std::string& text)
{
    return OrderedJson::array({{{"type", "text"}, {"text", text}}});
}

// Finds the form by rendering a conversation whose content may have either form.
ContentForm formOf(const std::function<Result<std::string>(const OrderedJson& content)>& render)
{
    const std::string needle = "x7Qz";
    const auto text = render(needle);
    const auto parts = render(partsOf(needle));
    const auto has = [](const Result<std::string>& all, std::string_view piece) {
        return all && all->find(piece) != std::string::npos;
    };
    // A list that is printed as a whole shows its keys.
    const bool readsParts = has(parts, needle) && !has(parts, "'type'") && !has(parts, "\"type\"");
    return {.texts = has(text, needle) || !readsParts, .parts = readsParts};
}

bool exchange(OrderedJson& arguments, const std::tm& now)
{
    if (arguments.is_string()) {
        auto object = json::parseOrdered(arguments.get_ref<const std::string&>());
        if (!object || !object->is_object())
            return false;
        arguments = *std::move(object);
        return true;
    }
    if (!arguments.is_object())
        return false;
    static const auto writer = jinja::Template::parse("{{ arguments | tojson }}");
    auto text = writer->render({{"arguments", arguments}}, now);
    if (!text)
        return false;
    arguments = *std::move(text);
    return true;
}

// Adds a model's reasoning under each name by which templates ask for it, as transformers
// does.
void nameReasoning(OrderedJson& message)
{
    for (const char* const name : {"reasoning_content", "thinking", "reasoning"}) {
        const auto given = message.find(name);
        if (given == message.end() || given->is_null())
            continue;
        const OrderedJson reasoning = *given;
        if (!message.contains("thinking")) {
            OrderedJson named{{"thinking", reasoning}};
            named.update(message);
            message = std::move(named);
        }
        message["reasoning_content"] = reasoning;
        return;
    }
}

// Finds the forms by rendering a message in both. variables: those that do not depend on messages.
ContentForms contentFormsOf(const jinja::Template& chat, const OrderedJson& variables,
                            const std::tm& now)
{
    const auto rendered = [&](const OrderedJson& messages) {
        OrderedJson all = variables;
        all["messages"] = messages;
        return chat.render(all, now);
    };
    const auto message = [](const char* role, const OrderedJson& content) {
        return OrderedJson{{"role", role}, {"content", content}};
    };
    const ContentForm others = formOf([&](const OrderedJson& content) {
        return rendered(OrderedJson::array({message("user", content)}));
    });
    const ContentForm system = formOf([&](const OrderedJson& content) {
        const OrderedJson question = others.texts ? OrderedJson("Hi") : partsOf("Hi");
        return rendered(
            OrderedJson::array({message("system", content), message("user", question)}));
    });
    return {.system = system, .others = others};
}

// The messages as given, except that parts become a text, or a text becomes a part, if the template
// reads only the other form.
OrderedJson messagesFor(const Conversation& conversation, const ContentForms& forms)
{
    OrderedJson messages = OrderedJson::array();
    for (const ChatMessage& given : conversation.messages) {
        OrderedJson message = json::parsedOrNull(given.json);
        if (const auto content = message.find("content"); content != message.end()) {
            const ContentForm& form = given.role == "system" ? forms.system : forms.others;
            if (content->is_array() && !form.parts)
                *content = given.text;
            else if (content->is_string() && !form.texts)
                *content = partsOf(content->get<std::string>());
        }
        nameReasoning(message);
        messages.push_back(std::move(message));
    }
    return messages;
}

// Sets every content that is null or absent to an empty text. False if there was none.
bool fillContents(OrderedJson& messages)
{
    bool filled = false;
    for (OrderedJson& message : messages) {
        if (message.contains("content") && !message.at("content").is_null())
            continue;
        message["content"] = "";
        filled = true;
    }
    return filled;
}

// Converts the arguments of all calls to the other form: a text becomes the object that it
// contains, an object becomes text. False if nothing could be converted.
bool exchangeArguments(OrderedJson& messages, const std::tm& now)
{
    bool exchanged = false;
    for (OrderedJson& message : messages) {
        const auto calls = message.find("tool_calls");
        if (calls == message.end() || !calls->is_array())
            continue;
        for (OrderedJson& call : *calls) {
            const auto function = call.find("function");
            OrderedJson& named = function != call.end() ? *function : call;
            if (!named.is_object())
                continue;
            if (const auto arguments = named.find("arguments"); arguments != named.end())
                exchanged = exchange(*arguments, now) || exchanged;
        }
    }
    return exchanged;
}

using jinja::Token;
using Tokens = std::vector<Token>;

// Names that chat templates use for switches with a few values.
struct Known {
    const char* name;
    bool is_switch; // true or false; otherwise a reasoning effort
};
constexpr std::array kKnown{Known{"enable_thinking", true}, Known{"thinking", true},
                            Known{"preserve_thinking", true}, Known{"clear_thinking", true},
                            Known{"reasoning_effort", false}};

bool isName(const Tokens& tokens, std::size_t at, std::string_view name)
{
    return at < tokens.size() && tokens[at].kind == Token::Kind::Name && tokens[at].text == name;
}

bool isOperator(const Tokens& tokens, std::size_t at, std::string_view op)
{
    return at < tokens.size() && tokens[at].kind == Token::Kind::Operator && tokens[at].text == op;
}

bool isVariable(const Tokens& tokens, std::size_t at, std::string_view name)
{
    return isName(tokens, at, name) && (at == 0 || !isOperator(tokens, at - 1, "."));
}

// Whether {% set name = ... %} at this place computes the value from the same variable.
bool setsFromItself(const Tokens& tokens, std::size_t at, std::string_view name)
{
    for (++at; at < tokens.size() && tokens[at].kind != Token::Kind::EndBlock; ++at) {
        if (isVariable(tokens, at, name))
            return true;
    }
    return false;
}

// A name that the template sets or loops over before reading it is the template's own variable.
bool reads(const Tokens& tokens, std::string_view name)
{
    for (std::size_t at = 1; at < tokens.size(); ++at) {
        if (!isVariable(tokens, at, name))
            continue;
        if (isName(tokens, at - 1, "for"))
            return false;
        if (!isOperator(tokens, at + 1, "="))
            return true;
        if (isName(tokens, at - 1, "set"))
            return setsFromItself(tokens, at, name);
    }
    return false;
}

// The usual efforts, and texts that the template compares with the variable.
std::vector<std::string> effortsOf(const Tokens& tokens, std::string_view name)
{
    std::vector<std::string> efforts{"\"low\"", "\"medium\"", "\"high\""};
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
        if (!isVariable(tokens, at, name)
            || !(isOperator(tokens, at + 1, "==") || isOperator(tokens, at + 1, "!="))
            || tokens[at + 2].kind != Token::Kind::String)
            continue;
        const std::string& text = tokens[at + 2].text;
        const bool isWord = !text.empty() && text.find_first_of("\"\\\n\t ") == std::string::npos;
        const std::string quoted = '"' + text + '"';
        if (isWord && std::ranges::count(efforts, quoted) == 0)
            efforts.push_back(quoted);
    }
    return efforts;
}

// Returns the template's variables that a user may set: those that the template reads and whose
// possible values are known. Empty if the template cannot be tokenized.
std::vector<TemplateChoice> choicesIn(std::string_view source)
{
    std::vector<TemplateChoice> choices;
    try {
        const Tokens tokens = jinja::tokensOfTemplate(source);
        for (const Known& known : kKnown) {
            if (!reads(tokens, known.name))
                continue;
            choices.push_back({known.name,
                               known.is_switch ? std::vector<std::string>{"true", "false"}
                                               : effortsOf(tokens, known.name)});
        }
    } catch (const jinja::Failure&) {
        return {};
    }
    return choices;
}

using Json = json::Json;
using OrderedJson = json::OrderedJson;
namespace fs = std::filesystem;

constexpr const char* kTemplateFile = "chat_template.jinja";
constexpr const char* kTemplateJsonFile = "chat_template.json";
constexpr const char* kConfigFile = "tokenizer_config.json";
constexpr const char* kSpecialTokensFile = "special_tokens_map.json";
constexpr std::uint64_t kMaxTemplateBytes = 64U << 20U;

// A template and its origin, for messages.
struct Source {
    std::string text;
    fs::path file;
};

Error wrong(const fs::path& file, const Message& what)
{
    return {ErrorCode::InvalidInput, {"%1: %2", file.string(), what}};
}

// A template, or the one named "default" in a list of named templates.
std::optional<std::string> templateIn(const json::Value& file)
{
    const auto found = file.find("chat_template");
    if (!found)
        return std::nullopt;
    if (found->isString())
        return found->asString();
    if (!found->isArray())
        found->fail("must be a string or a list of named templates");
    for (const json::Value& entry : found->elements()) {
        if (entry.string("name", {}) == "default")
            return entry.string("template");
    }
    found->fail("has no template that is called \"default\"");
}

// Returns the template in the metadata of a GGUF file.
std::optional<std::string> templateInGguf(const json::Value& metadata)
{
    const auto found = metadata.find("tokenizer.chat_template");
    return found ? std::optional(found->asString()) : std::nullopt;
}

// The JSON files of a folder, or the metadata of a GGUF file with the words of its tokens; each is
// read once.
class Documents {
public:
    explicit Documents(const fs::path& model)
        : m_gguf(isFile(model))
    {
    }

    const Result<Json>& of(const fs::path& file)
    {
        auto known = m_known.find(file);
        if (known == m_known.end()) {
            auto read = m_gguf ? json::readGgufMetadata(file, json::kAnyGgufList)
                               : json::readFile(file, kMaxTemplateBytes);
            known = m_known.emplace(file, std::move(read)).first;
        }
        return known->second;
    }

private:
    bool m_gguf;
    std::map<fs::path, Result<Json>> m_known;
};

Result<std::optional<Source>> findSource(const fs::path& folder, Documents& documents)
{
    if (isFile(folder)) {
        const auto& metadata = documents.of(folder);
        if (!metadata)
            return metadata.error();
        auto text = json::read(folder.string(), *metadata, templateInGguf);
        if (!text)
            return text.error();
        return *text ? std::optional(Source{std::move(**text), folder}) : std::nullopt;
    }
    if (const fs::path file = folder / kTemplateFile; isFile(file)) {
        auto text = json::readTextFile(file, jinja::kMaxTemplateBytes);
        if (!text)
            return text.error();
        return std::optional(Source{std::move(*text), file});
    }
    for (const char* const name : {kTemplateJsonFile, kConfigFile}) {
        const fs::path file = folder / name;
        if (!isFile(file))
            continue;
        const auto& json = documents.of(file);
        if (!json)
            return json.error();
        auto text = json::read(file.string(), *json, templateIn);
        if (!text)
            return text.error();
        if (*text)
            return std::optional(Source{std::move(**text), file});
    }
    return std::optional<Source>();
}

// A token is a string, or an object with the string as "content".
std::optional<std::string> tokenText(const json::Value& value)
{
    const auto text = value.isObject() ? value.find("content") : std::optional(value);
    return text && text->isString() ? std::optional(text->asString()) : std::nullopt;
}

// Adds the special tokens of a GGUF file, which states their ids.
void addSpecialTokens(const Result<Json>& metadata, OrderedJson& tokens)
{
    const auto words = metadata ? metadata->find("tokenizer.ggml.tokens") : Json::const_iterator();
    if (!metadata || words == metadata->end() || !words->is_array())
        return;
    constexpr std::array<std::pair<const char*, const char*>, 4> kNames{
        {{"tokenizer.ggml.bos_token_id", "bos_token"},
         {"tokenizer.ggml.eos_token_id", "eos_token"},
         {"tokenizer.ggml.unknown_token_id", "unk_token"},
         {"tokenizer.ggml.padding_token_id", "pad_token"}}};
    for (const auto& [key, name] : kNames) {
        const auto id = metadata->find(key);
        if (id == metadata->end() || !id->is_number_unsigned()
            || id->get<std::size_t>() >= words->size())
            continue;
        if (const Json& word = (*words)[id->get<std::size_t>()]; word.is_string())
            tokens[name] = word.get<std::string>();
    }
}

// The tokens of a list, as strings.
OrderedJson tokenTexts(const json::Value& list)
{
    OrderedJson texts = OrderedJson::array();
    for (const json::Value& token : list.elements()) {
        if (const auto text = tokenText(token))
            texts.push_back(*text);
    }
    return texts;
}

// Every name that transformers' map of special tokens has: bos_token, eos_token etc., those of the
// object extra_special_tokens, and the list additional_special_tokens. Invalid files are reported
// by the tokenizer, so they are treated as absent here.
OrderedJson specialTokens(const fs::path& folder, Documents& documents)
{
    OrderedJson tokens = OrderedJson::object();
    if (isFile(folder)) {
        addSpecialTokens(documents.of(folder), tokens);
        return tokens;
    }
    for (const char* const name : {kSpecialTokensFile, kConfigFile}) {
        const auto& json = documents.of(folder / name);
        if (!json)
            continue;
        const json::Value file(*json);
        for (const auto& [key, value] : json->items()) {
            if (!key.ends_with("_token") || key.starts_with("add_"))
                continue;
            if (const auto text = tokenText(file.part(value)))
                tokens[key] = *text;
        }
        const auto extra = file.find("extra_special_tokens");
        if (extra && extra->isObject()) {
            for (const auto& [key, value] : extra->json().items()) {
                if (const auto text = tokenText(extra->part(value)))
                    tokens[key] = *text;
            }
        }
        const auto more = file.find("additional_special_tokens");
        if (more && more->isArray() && more->size() > 0)
            tokens["additional_special_tokens"] = tokenTexts(*more);
    }
    return tokens;
}

std::tm localNow()
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    return local;
}

} // namespace

struct ChatTemplate::Impl {
    jinja::Template parsed;
    fs::path file;
    OrderedJson variables; // variables that do not depend on the messages
    std::vector<TemplateChoice> choices{};
    ContentForms forms{};
};

ChatTemplate::ChatTemplate(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}

ChatTemplate::~ChatTemplate() = default;

Result<std::shared_ptr<const ChatTemplate>> ChatTemplate::load(const fs::path& folder)
{
    Documents documents(folder);
    auto source = findSource(folder, documents);
    if (!source)
        return source.error();
    if (!*source) {
        return Error{ErrorCode::NotFound,
                     {"The model in %1 has no chat template: it is probably not a chat model; turn "
                      "the chat template off.",
                      folder.string()}};
    }
    auto parsed = jinja::Template::parse((*source)->text);
    if (!parsed) {
        return wrong((*source)->file,
                     Message("the chat template cannot be read, %1; turn the chat template off.",
                             parsed.error().message));
    }
    auto impl = std::make_unique<Impl>(
        Impl{std::move(*parsed), std::move((*source)->file), specialTokens(folder, documents)});
    impl->variables["tools"] = nullptr;
    impl->variables["documents"] = nullptr;
    impl->variables["add_generation_prompt"] = true;
    impl->choices = choicesIn((*source)->text);
    impl->forms = contentFormsOf(impl->parsed, impl->variables, localNow());
    return std::shared_ptr<const ChatTemplate>(new ChatTemplate(std::move(impl)));
}

const std::vector<TemplateChoice>& ChatTemplate::choices() const
{
    return m_impl->choices;
}

Result<std::string> ChatTemplate::render(const Conversation& conversation) const
{
    return render(conversation, localNow());
}

Result<std::string> ChatTemplate::render(const Conversation& conversation, const std::tm& now) const
{
    OrderedJson variables = m_impl->variables;
    if (!conversation.variables.empty())
        variables.update(json::parsedOrNull(conversation.variables));
    variables["tools"] = json::parsedOrNull(conversation.tools);
    variables["messages"] = messagesFor(conversation, m_impl->forms);
    auto text = m_impl->parsed.render(variables, now);
    if (text)
        return text;
    if (text.error().code == ErrorCode::Unsupported) {
        return Error{
            ErrorCode::Unsupported,
            {"The model's chat template refuses these messages: %1", text.error().message}};
    }
    // Tries the other forms one by one, then together.
    const OrderedJson given = variables["messages"];
    for (const auto& [arguments, contents] :
         {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
        OrderedJson& messages = variables["messages"] = given;
        const bool changed = (!arguments || exchangeArguments(messages, now))
            && (!contents || fillContents(messages));
        if (!changed)
            continue;
        if (auto other = m_impl->parsed.render(variables, now))
            return other;
    }
    return wrong(
        m_impl->file,
        Message("the chat template fails, %1; turn the chat template off.", text.error().message));
}

} // namespace ep::text
