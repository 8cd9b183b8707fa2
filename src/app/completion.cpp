// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_tree.h"

namespace ep::app {

namespace {

bool isFile(const std::string& value)
{
    return value == "FILE" || value == "PATH";
}

// --- bash -----------------------------------------------------------------------------------

void addBashCommand(std::string& words, std::string& values, const CommandDoc& command)
{
    const std::string path = joined(command.words, " ");
    std::vector<std::string> all;
    bool takesFiles = false;
    for (const CommandDoc& below : command.commands)
        all.push_back(below.words.back());
    for (const OptionDoc& option : command.options) {
        all.insert(all.end(), option.names.begin(), option.names.end());
        takesFiles = takesFiles || (option.names.empty() && isFile(option.value));
        if (option.names.empty() || option.value.empty())
            continue;
        std::string action = "return";
        if (!option.choices.empty())
            action = "COMPREPLY=($(compgen -W '" + joined(option.choices, " ")
                + "' -- \"$cur\")); return";
        else if (option.value == "DIR")
            action = "COMPREPLY=($(compgen -d -- \"$cur\")); return";
        else if (isFile(option.value))
            action = "COMPREPLY=($(compgen -f -- \"$cur\")); return";
        for (const std::string& name : option.names)
            values += "    '" + path + '/' + name + "') " + action + " ;;\n";
    }
    words += "    '" + path + "') words='" + joined(all, " ")
        + "' files=" + (takesFiles ? "yes" : "") + " ;;\n";
    for (const CommandDoc& below : command.commands)
        addBashCommand(words, values, below);
}

// The paths of all commands, to know which word of a line is a subcommand.
void addPaths(std::string& paths, const CommandDoc& command)
{
    for (const CommandDoc& below : command.commands) {
        paths += (paths.empty() ? "" : "|") + ("'" + joined(below.words, " ") + "'");
        addPaths(paths, below);
    }
}

// --- zsh ------------------------------------------------------------------------------------

// Inside '...' and inside [...] of _arguments.
std::string zshText(const std::string& text)
{
    std::string result;
    for (const char c : text) {
        if (c == '\'')
            result += "'\\''";
        else if (c == '[' || c == ']' || c == ':' || c == '\\')
            result += std::string("\\") + c;
        else
            result += c;
    }
    return result;
}

std::string zshAction(const OptionDoc& option)
{
    if (!option.choices.empty())
        return '(' + joined(option.choices, " ") + ')';
    if (option.value == "DIR")
        return "_files -/";
    if (isFile(option.value))
        return "_files";
    return {};
}

void addZshCommand(std::string& text, const CommandDoc& command)
{
    std::string function = "_energy_profiler";
    for (const std::string& word : command.words)
        function += '_' + word;
    text += function + "() {\n    _arguments -s";
    for (const OptionDoc& option : command.options) {
        const std::string value =
            option.value.empty() ? "" : ':' + zshText(option.value) + ':' + zshAction(option);
        if (option.names.empty()) {
            text += std::string(" \\\n        '") + (option.several ? "*" : "") + value + '\'';
            continue;
        }
        for (const std::string& name : option.names)
            text +=
                " \\\n        '*" + name + '[' + zshText(option.description) + ']' + value + '\'';
    }
    if (command.commands.empty()) {
        text += "\n}\n\n";
        return;
    }
    text += " \\\n        '1: :->command' \\\n        '*:: :->rest'\n    case $state in\n"
            "    command)\n        local -a commands=(";
    for (const CommandDoc& below : command.commands)
        text += "\n            '" + below.words.back() + ':' + zshText(below.description) + '\'';
    text += ")\n        _describe 'subcommand' commands ;;\n    rest)\n        case $words[1] in\n";
    for (const CommandDoc& below : command.commands)
        text +=
            "        " + below.words.back() + ") " + function + '_' + below.words.back() + " ;;\n";
    text += "        esac ;;\n    esac\n}\n\n";
    for (const CommandDoc& below : command.commands)
        addZshCommand(text, below);
}

} // namespace

std::string bashCompletion(const CommandDoc& program)
{
    std::string paths;
    std::string words;
    std::string values;
    addPaths(paths, program);
    addBashCommand(words, values, program);
    return "# bash completion of energy-profiler; made by 'energy-profiler documentation bash'\n"
           "_energy_profiler() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local path='' word words files\n"
           "    COMPREPLY=()\n"
           "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
           "        case \"${path:+$path }$word\" in\n        "
        + paths
        + ") path=\"${path:+$path }$word\" ;;\n        esac\n    done\n"
          "    case \"$path/$prev\" in\n"
        + values + "    esac\n    case \"$path\" in\n" + words
        + "    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    if [ -n \"$files\" ] && [ ${#COMPREPLY[@]} -eq 0 ]; then\n"
          "        COMPREPLY=($(compgen -f -- \"$cur\"))\n    fi\n}\n"
          "complete -o filenames -F _energy_profiler energy-profiler\n";
}

std::string zshCompletion(const CommandDoc& program)
{
    std::string text = "#compdef energy-profiler\n"
                       "# made by 'energy-profiler documentation zsh'\n\n";
    addZshCommand(text, program);
    return text + "_energy_profiler \"$@\"\n";
}

} // namespace ep::app
