// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_tree.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

namespace ep::app {

namespace {

// Extracts the type, which "TEXT:{a,b}" and "INT in [1 - 5]" name first.
std::string typeOf(const CLI::Option& option)
{
    if (option.get_expected_max() == 0)
        return {};
    const std::string name = option.get_type_name();
    const std::string type = name.substr(0, name.find_first_of(": {["));
    return type.empty() ? "VALUE" : type;
}

std::vector<std::string> choicesOf(const CLI::Option& option)
{
    const std::string name = option.get_type_name();
    const std::size_t open = name.find('{');
    const std::size_t close = name.rfind('}');
    std::vector<std::string> choices;
    if (open == std::string::npos || close == std::string::npos)
        return choices;
    std::string list = name.substr(open + 1, close - open - 1);
    for (std::size_t comma = 0; !list.empty(); list.erase(0, comma)) {
        comma = std::min(list.find(','), list.size());
        choices.push_back(list.substr(0, comma));
        comma += comma < list.size() ? 1 : 0;
    }
    return choices;
}

void addOptions(std::vector<OptionDoc>& docs, const CLI::App& app)
{
    for (const CLI::Option* option : app.get_options()) {
        // Skips hidden options, and help options of option groups, which the command has itself.
        const bool again = app.get_name().empty()
            && (option == app.get_help_ptr() || option == app.get_help_all_ptr());
        if (option->get_group().empty() || again)
            continue;
        OptionDoc doc;
        for (const std::string& name : option->get_snames())
            doc.names.push_back('-' + name);
        for (const std::string& name : option->get_lnames())
            doc.names.push_back("--" + name);
        doc.value = doc.names.empty() ? option->get_name(true) : typeOf(*option);
        doc.choices = choicesOf(*option);
        doc.description = option->get_description();
        doc.group = option->get_group();
        for (const CLI::Option* other : option->get_needs())
            doc.needs.push_back("--" + other->get_lnames().front());
        doc.required = option->get_required();
        doc.several = option->get_expected_max() > 1;
        docs.push_back(std::move(doc));
    }
    // Option groups are subcommands without a name.
    for (const CLI::App* group : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (group->get_name().empty())
            addOptions(docs, *group);
    }
}

CommandDoc readCommand(const CLI::App& app, const std::vector<std::string>& words)
{
    CommandDoc doc;
    doc.words = words;
    doc.description = app.get_description();
    addOptions(doc.options, app);
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_name().empty() || command->get_group().empty())
            continue;
        std::vector<std::string> more = words;
        more.push_back(command->get_name());
        doc.commands.push_back(readCommand(*command, more));
    }
    return doc;
}

} // namespace

CommandDoc readCommandTree(const CLI::App& app)
{
    return readCommand(app, {});
}

} // namespace ep::app
