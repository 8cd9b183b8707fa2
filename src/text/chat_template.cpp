// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/text/chat_template.h"

#include "jinja/template.h"
#include "template_choices.h"
#include "template_messages.h"

#include "ep/core/mapped_file.h"
#include "ep/json/conversation.h"
#include "ep/json/document.h"
#include "ep/json/gguf.h"
#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace ep::text {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;
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

// The same for a GGUF file.
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

// The same for a GGUF file, which gives their ids.
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
            if (const auto text = tokenText(file.member(key, value)))
                tokens[key] = *text;
        }
        const auto extra = file.find("extra_special_tokens");
        if (extra && extra->isObject()) {
            for (const auto& [key, value] : extra->json().items()) {
                if (const auto text = tokenText(extra->member(key, value)))
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

bool ChatTemplate::existsIn(const fs::path& folder)
{
    Documents documents(folder);
    const auto source = findSource(folder, documents);
    return source && *source;
}

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
