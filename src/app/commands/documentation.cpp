// SPDX-License-Identifier: GPL-3.0-or-later
// Generates the files that packages install next to the program; hidden from its help.
#include "command_tree.h"
#include "commands.h"
#include "examples.h"
#include "exit_status.h"
#include "terminal.h"

#include "ep/session/environment.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace ep::app {

namespace {

// Every example must parse, and every command must have one.
std::string problemsOf(const CommandDoc& command)
{
    std::string problems;
    std::string words;
    for (const std::string& word : command.words)
        words += (words.empty() ? "" : " ") + word;
    bool found = false;
    for (const Example& example : examples()) {
        if (example.command != words)
            continue;
        found = true;
        std::string line = words + (words.empty() ? "" : " ") + std::string(example.arguments);
        line = line.substr(0, line.find_first_of("<>")); // the rest is for the shell
        int count = 0;
        Invocation invocation{count, nullptr, {}};
        CLI::App app;
        describeCommandLine(app, invocation);
        try {
            app.parse(line, false);
        } catch (const CLI::ParseError& error) {
            problems += line + ": " + error.what() + '\n';
        }
    }
    if (!found)
        problems += "no example: " + words + '\n';
    for (const CommandDoc& below : command.commands)
        problems += problemsOf(below);
    return problems;
}

int document(const std::string& kind)
{
    int count = 0;
    Invocation invocation{count, nullptr, {}};
    CLI::App app;
    describeCommandLine(app, invocation);
    const CommandDoc program = readCommandTree(app);
    if (kind == "check") {
        const std::string problems = problemsOf(program);
        print(problems);
        return problems.empty() ? kExitDone : kExitFailed;
    }
    if (kind == "man")
        print(manPage(program, session::applicationVersion()));
    else
        print(kind == "bash" ? bashCompletion(program) : zshCompletion(program));
    return kExitDone;
}

} // namespace

void addDocumentationCommand(CLI::App& app, Invocation& invocation)
{
    auto kind = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("documentation", "Print the man page or a completion");
    command->group("");
    command->add_option("KIND", *kind, "man, bash, zsh, or check")
        ->required()
        ->check(oneOf({"man", "bash", "zsh", "check"}));
    command->callback(
        [kind, &invocation] { invocation.action = [kind] { return document(*kind); }; });
}

} // namespace ep::app
