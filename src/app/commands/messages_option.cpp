// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages_option.h"

#include "terminal.h"

#include "ep/core/joined.h"
#include "ep/json/conversation.h"

#include <utility>

namespace ep::app {

CLI::Option* MessagesOption::addFile(CLI::App& command)
{
    return command
        .add_option("--messages", file,
                    "File with a conversation in OpenAI's form (messages, tools) as JSON, or JSONL "
                    "for a batch (-: stdin)")
        ->type_name("FILE");
}

CLI::Option* MessagesOption::addVariables(CLI::App& command)
{
    return command
        .add_option("--template-var", assignments,
                    "Variable of the chat template, as in enable_thinking=false or "
                    "reasoning_effort=high; may be repeated")
        ->type_name("NAME=VALUE")
        ->check(CLI::Validator(
            [](std::string& assignment) {
                std::string unused;
                const Status set = json::setVariable(unused, assignment);
                return set ? std::string() : set.error().message.english();
            },
            ""))
        ->allow_extra_args(false);
}

void MessagesOption::check(session::PromptParts parts) const
{
    parts.messages = given();
    parts.variables = !assignments.empty();
    if (const Status possible = session::checkTogether(parts); !possible)
        throw CLI::ValidationError(possible.error().message.english());
}

Result<std::vector<Conversation>> MessagesOption::read() const
{
    if (!given())
        return std::vector<Conversation>();
    const auto text = readText(file);
    if (!text)
        return text.error();
    const std::string name = file == "-" ? "Standard input" : file;
    auto content = json::readConversations(*text, name);
    if (!content)
        return content.error();
    if (!content->unused.empty())
        printError(name + " also has " + joined(content->unused, ", ") + ", which "
                   + (content->unused.size() == 1 ? "is" : "are")
                   + " not used: the options of the command say how to generate.");
    return std::move(content->conversations);
}

Result<std::string> MessagesOption::variables() const
{
    std::string all;
    for (const std::string& assignment : assignments) {
        if (const Status set = json::setVariable(all, assignment); !set)
            return set.error();
    }
    return all;
}

} // namespace ep::app
