// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_prompts.h"

#include "ep/core/text_file.h"
#include "ep/json/conversation.h"

#include <array>
#include <set>

namespace ep::session {

namespace {

using json::Value;

std::string readPromptFile(const Value& file, const std::filesystem::path& folder)
{
    auto text = readTextFile(folder / textOf(file));
    if (!text)
        file.fail(Message("names a file: %1", text.error().message));
    return *std::move(text);
}

// Reads conversations from the study itself or from a file.
void readConversations(const Value& json, const json::OrderedJson& ordered,
                       const std::filesystem::path& folder, StudyPrompt& prompt)
{
    const auto take = [&](const Value& place, const json::OrderedJson& messages,
                          const json::OrderedJson& tools, const json::OrderedJson& variables) {
        auto read = json::conversationOf(messages, tools, variables);
        if (!read)
            place.fail(Message("cannot be used: %1", read.error().message));
        prompt.conversations.push_back(*std::move(read));
    };
    const auto member = [](const json::OrderedJson& object, const char* key) {
        return object.contains(key) ? object.at(key) : json::OrderedJson();
    };
    if (json.contains("messages")) {
        take(json, ordered.at("messages"), member(ordered, "tools"),
             member(ordered, "template_variables"));
    } else if (const auto file = json.find("messages_file")) {
        auto read = json::readConversationFile(folder / textOf(*file));
        if (!read) {
            std::string problem = read.error().message;
            problem.erase(problem.find_last_not_of('.') + 1);
            file->fail(Message("names a file that cannot be used: %1", problem));
        }
        prompt.conversations = std::move(read->conversations);
    } else {
        std::size_t next = 0;
        for (const Value& one : json.at("conversations").elements()) {
            const json::OrderedJson& content = ordered.at("conversations").at(next++);
            one.requireObject();
            take(one, member(content, "messages"), member(content, "tools"),
                 member(content, "template_variables"));
        }
    }
    if (const auto variables = json.find("template_variables");
        variables && !json.contains("messages")) {
        for (Conversation& conversation : prompt.conversations)
            conversation.variables = json::mergedVariables(
                conversation.variables, member(ordered, "template_variables").dump());
    }
    if (!prompt.conversations.empty())
        prompt.text = questionOf(prompt.conversations.front());
}

StudyPrompt promptOf(const Value& json, const json::OrderedJson& ordered,
                     const std::filesystem::path& folder)
{
    if (json.isString())
        return {.name = {}, .text = textOf(json)};
    constexpr std::array<std::string_view, 5> kContents{"text", "file", "messages", "messages_file",
                                                        "conversations"};
    const auto isGiven = [&](std::string_view key) { return json.contains(key); };
    if (!json.isObject() || std::ranges::count_if(kContents, isGiven) != 1)
        json.fail("must be a string, or an object with a \"name\" and a \"text\", a \"file\", "
                  "\"messages\" or a \"messages_file\"");
    StudyPrompt prompt;
    if (const auto name = json.find("name"))
        prompt.name = textOf(*name);
    if (json.contains("text"))
        prompt.text = textOf(json.at("text"));
    else if (json.contains("file"))
        prompt.text = readPromptFile(json.at("file"), folder);
    else
        readConversations(json, ordered, folder, prompt);
    if (prompt.text.empty() && prompt.conversations.empty())
        json.fail("names an empty file");
    return prompt;
}

} // namespace

std::vector<StudyPrompt> readPrompts(json::StrictObject& study, const json::OrderedJson& ordered,
                                     const std::filesystem::path& folder)
{
    std::size_t next = 0;
    auto prompts = listAt<StudyPrompt>(study, "prompts", {}, [&](const Value& one) {
        return promptOf(one, ordered.is_array() ? ordered.at(next++) : ordered, folder);
    });
    if (prompts.empty())
        study.value().fail("prompts", "is missing; list the texts to continue");
    std::set<std::string> names;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        if (prompts[i].name.empty())
            prompts[i].name = "prompt " + std::to_string(i + 1);
        if (!names.insert(prompts[i].name).second)
            study.value().fail("prompts", Message("names \"%1\" twice", prompts[i].name));
    }
    return prompts;
}

json::OrderedJson promptJson(const StudyPrompt& prompt)
{
    json::OrderedJson json{{"name", prompt.name}};
    if (prompt.conversations.size() == 1) {
        json.update(json::conversationJson(prompt.conversations.front()));
    } else if (prompt.conversations.empty()) {
        json["text"] = prompt.text;
    } else {
        for (const Conversation& conversation : prompt.conversations)
            json["conversations"].push_back(json::conversationJson(conversation));
    }
    return json;
}

} // namespace ep::session
