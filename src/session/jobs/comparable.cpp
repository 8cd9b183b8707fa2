// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/comparable.h"

#include "ep/json/document.h"

#include <algorithm>
#include <array>
#include <functional>

namespace ep::session {

namespace {

// Texts that agents put into messages anew with every request: time, open files, reminders.
struct Changing {
    std::string_view begin;
    std::string_view end;
};
constexpr std::array<Changing, 7> kChanging{{
    {"x-anthropic-billing-header:", "\n"}, // Claude Code
    {"<system-reminder>", "</system-reminder>"}, // Claude Code, opencode, Qwen Code
    {"<environment_details>", "</environment_details>"}, // older releases of Cline
    {"<environment_context>", "</environment_context>"}, // Codex
    {"<info-msg>", "</info-msg>"}, // Goose
    {"<env>", "</env>"}, // opencode, Crush, Cline, Continue
    {"<think>", "</think>"}, // reasoning, which clients leave out of the history
}};

constexpr std::size_t kSpecific = 12; // characters

bool isBlank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Appends the text with single blanks, none at the beginning.
void appendSingleSpaced(std::string& to, std::string_view text)
{
    for (const char c : text) {
        if (!isBlank(c))
            to += c;
        else if (!to.empty() && to.back() != ' ')
            to += ' ';
    }
}

void appendCall(std::string& calls, const json::Json& call)
{
    const auto function = call.find("function");
    const json::Json& named = function != call.end() ? *function : call;
    for (const char* key : {"name", "arguments", "input"}) {
        const auto member = named.is_object() ? named.find(key) : named.end();
        if (!named.is_object() || member == named.end() || member->is_null())
            continue;
        calls += member->is_string() ? member->get<std::string>() : json::textOf(*member);
    }
}

// Hashes the text without blanks, which JSON may have anywhere.
std::size_t hashOf(std::string_view text)
{
    std::string kept;
    std::ranges::copy_if(text, std::back_inserter(kept), [](char c) { return !isBlank(c); });
    return kept.empty() ? 0 : std::hash<std::string>()(kept);
}

} // namespace

std::string comparableText(std::string_view text)
{
    std::string kept;
    std::array<bool, kChanging.size()> open{}; // whether the part has no end in this text
    std::size_t from = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '<' && text[at] != 'x')
            continue;
        const auto part = std::ranges::find_if(
            kChanging, [&](const Changing& one) { return text.substr(at).starts_with(one.begin); });
        if (part == kChanging.end())
            continue;
        bool& isOpen = open.at(static_cast<std::size_t>(part - kChanging.begin()));
        const std::size_t end = isOpen ? text.npos : text.find(part->end, at);
        isOpen = end == text.npos;
        if (isOpen && part->end != "\n")
            continue;
        appendSingleSpaced(kept, text.substr(from, at - from));
        appendSingleSpaced(kept, " ");
        from = isOpen ? text.size() : end + part->end.size();
        at = from - 1;
    }
    appendSingleSpaced(kept, text.substr(from));
    if (kept.ends_with(' '))
        kept.pop_back();
    return kept;
}

std::string callsIn(const ChatMessage& message)
{
    std::string calls;
    if (message.json.find("\"tool_calls\"") == std::string::npos)
        return calls;
    const auto json = json::parse(message.json);
    const json::Json* list = json && json->is_object() && json->contains("tool_calls")
        ? &json->at("tool_calls")
        : nullptr;
    if (list == nullptr || !list->is_array())
        return calls;
    for (const json::Json& call : *list) {
        if (call.is_object())
            appendCall(calls, call);
    }
    return calls;
}

MessageKey keyOf(const std::string& text, const std::string& calls)
{
    const std::string said = comparableText(text);
    return {hashOf(said + calls), hashOf(said), hashOf(calls),
            said.size() >= kSpecific || !calls.empty()};
}

MessageKey keyOfAnswer(std::string_view response)
{
    const std::size_t line = response.rfind('\n');
    const bool calls = line != response.npos && response.find('{', line) != response.npos;
    return keyOf(std::string(response.substr(0, calls ? line : response.size())),
                 calls ? std::string(response.substr(line)) : std::string());
}

} // namespace ep::session
