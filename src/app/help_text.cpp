// SPDX-License-Identifier: GPL-3.0-or-later
#include "help_text.h"

#include "command_tree.h"
#include "terminal.h"

#include "ep/core/joined.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cassert>
#include <sstream>
#include <vector>

namespace ep::app {

namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kWidest = 26; // a longer name has a line of its own

// "  --dtype TEXT              Compute type: ..."
std::string entry(const std::string& name, std::size_t column, const std::string& text)
{
    const std::string start = std::string(kIndent, ' ') + name;
    const bool fits = start.size() + 2 <= column;
    return (fits ? start + std::string(column - start.size(), ' ')
                 : start + '\n' + std::string(column, ' '))
        + wrapped(text, column) + '\n';
}

std::string nameOf(const OptionDoc& option)
{
    const std::string names = joined(option.names, ", ");
    const std::string several = option.names.empty() && option.several ? "..." : "";
    return names + (names.empty() || option.value.empty() ? "" : " ") + option.value + several;
}

// Adds the choices unless the description already has all of them.
std::string explanationOf(const OptionDoc& option)
{
    std::string text = option.description;
    const bool named = std::ranges::all_of(option.choices, [&](const std::string& choice) {
        return text.find(choice) != std::string::npos;
    });
    if (!named)
        text += (text.empty() ? "" : ": ") + joined(option.choices);
    if (!option.needs.empty() && !text.starts_with("With "))
        text += "; with " + joined(option.needs);
    return text + (option.required ? " (required)" : "");
}

std::string usage(const CommandDoc& command, const std::string& path)
{
    std::string text = "Usage: " + path + " [OPTIONS]";
    for (const OptionDoc& option : command.options) {
        if (!option.names.empty())
            continue;
        const std::string name = nameOf(option);
        text += ' ' + (option.required ? name : '[' + name + ']');
    }
    if (!command.commands.empty())
        text += " [SUBCOMMAND]";
    return text;
}

// Titles in the order of the options, "Rarely needed" last.
std::vector<std::string> groupsOf(const CommandDoc& command, bool everything)
{
    std::vector<std::string> groups;
    for (const OptionDoc& option : command.options) {
        if (!option.names.empty() && option.group != kRarely
            && std::ranges::find(groups, option.group) == groups.end())
            groups.push_back(option.group);
    }
    // Moves the group of --help from the first place to the last, since readers look for it last.
    if (groups.size() > 1)
        std::rotate(groups.begin(), groups.begin() + 1, groups.end());
    if (everything)
        groups.emplace_back(kRarely);
    return groups;
}

} // namespace

void groupOptions(CLI::App& command, std::span<const OptionGroup> groups)
{
    for (const OptionGroup& group : groups) {
        std::istringstream names{std::string(group.options)};
        for (std::string name; names >> name;) {
            CLI::Option* const option = command.get_option_no_throw(name);
            assert(option != nullptr);
            if (option != nullptr)
                option->group(group.title);
        }
    }
}

std::string helpText(const CLI::App& command, const std::string& path, bool everything)
{
    const CommandDoc doc = readCommandTree(command);
    std::size_t column = 0;
    const auto widen = [&](const std::string& name) {
        if (name.size() <= kWidest)
            column = std::max(column, kIndent + name.size() + 2);
    };
    std::ptrdiff_t rare = 0;
    for (const OptionDoc& option : doc.options) {
        widen(nameOf(option));
        rare += option.group == kRarely ? 1 : 0;
    }
    for (const CommandDoc& below : doc.commands)
        widen(below.words.back());

    std::string text = wrapped(doc.description) + '\n' + wrapped(usage(doc, path), 4) + '\n';
    const auto section = [&](const std::string& title, const auto& belongs) {
        std::string entries;
        for (const OptionDoc& option : doc.options) {
            // Commands without rare options have nothing more to show.
            if (belongs(option)
                && (rare > 0 || option.names != std::vector<std::string>{"--help-all"}))
                entries += entry(nameOf(option), column, explanationOf(option));
        }
        if (!entries.empty())
            text += '\n' + title + ":\n" + entries;
    };
    section("Positionals", [](const OptionDoc& option) { return option.names.empty(); });
    for (const std::string& group : groupsOf(doc, everything))
        section(group, [&](const OptionDoc& option) {
            return !option.names.empty() && option.group == group;
        });
    if (!doc.commands.empty())
        text += "\nSubcommands:\n";
    for (const CommandDoc& below : doc.commands)
        text += entry(below.words.back(), column, below.description);
    if (rare > 0 && !everything)
        text += '\n'
            + wrapped(std::to_string(rare) + " more options are rarely needed: " + path
                      + " --help-all")
            + '\n';
    return text + (command.get_footer().empty() ? "" : '\n' + command.get_footer());
}

} // namespace ep::app
