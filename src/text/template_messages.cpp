// SPDX-License-Identifier: GPL-3.0-or-later
#include "template_messages.h"

#include "ep/json/conversation.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace ep::text {

namespace {

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

} // namespace

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

} // namespace ep::text
