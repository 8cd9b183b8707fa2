// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_tree.h"
#include "examples.h"

#include "ep/core/joined.h"

namespace ep::app {

namespace {

// Escapes text for a man page: minus signs can be copied, and no text is taken for a request.
std::string escaped(const std::string& text)
{
    std::string result;
    for (const char c : text) {
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
    }
    if (!result.empty() && (result.front() == '.' || result.front() == '\''))
        result.insert(0, "\\&");
    return result;
}

std::string commandLine(const std::vector<std::string>& words)
{
    return words.empty() ? "energy-profiler" : "energy-profiler " + joined(words, " ");
}

void addOptions(std::string& page, const std::vector<OptionDoc>& options)
{
    for (const OptionDoc& option : options) {
        const std::string names = escaped(joined(option.names, ", "));
        page += ".TP\n" + (names.empty() ? "" : "\\fB" + names + "\\fR")
            + (names.empty() || option.value.empty() ? "" : " ")
            + (option.value.empty() ? "" : "\\fI" + escaped(option.value) + "\\fR") + '\n';
        page += escaped(option.description) + (option.required ? " (required)" : "") + '\n';
    }
}

void addCommand(std::string& page, const CommandDoc& command)
{
    page +=
        ".SS " + escaped(commandLine(command.words)) + '\n' + escaped(command.description) + ".\n";
    addOptions(page, command.options);
    const std::string words = joined(command.words, " ");
    for (const Example& example : examples()) {
        if (example.command != words)
            continue;
        page += ".PP\n" + escaped(std::string(example.what)) + ":\n.RS\n.nf\n"
            + escaped(commandLine(command.words)
                      + (example.arguments.empty() ? "" : ' ' + std::string(example.arguments)))
            + "\n.fi\n.RE\n";
    }
    for (const CommandDoc& below : command.commands)
        addCommand(page, below);
}

} // namespace

std::string manPage(const CommandDoc& program, const std::string& version)
{
    std::string page = ".TH ENERGY\\-PROFILER 1 \"\" \"Energy Profiler " + escaped(version)
        + "\" \"User Commands\"\n.SH NAME\nenergy\\-profiler \\- where the joules of a "
          "transformer's inference go\n.SH SYNOPSIS\n.B energy\\-profiler\n[\\fISUBCOMMAND\\fR] "
          "[\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n"
        + escaped(program.description) + '\n';
    page += ".SH OPTIONS\n";
    addOptions(page, program.options);
    page += ".SH SUBCOMMANDS\n";
    for (const CommandDoc& command : program.commands)
        addCommand(page, command);
    page +=
        ".SH EXIT STATUS\n.TP\n.B 0\nSuccess.\n.TP\n.B 1\nFailure; one line on standard "
        "error says what is wrong and what to do.\n.TP\n.B 2\nInvalid command line.\n.TP\n.B "
        "130\nCancelled.\n.SH ENVIRONMENT\n.TP\n.B EP_DB\nThe database to use without "
        "\\-\\-db.\n.TP\n.B EP_RESOURCES\nFolder of the bundled models and schemas.\n.TP\n.B "
        "HF_HUB_CACHE, HF_HOME\nFolder of the HuggingFace cache.\n.TP\n.B "
        "COLUMNS\nWidth of the output in characters; overrides the width of the terminal.\n.TP\n.B "
        "NO_COLOR\nRespected: the output never has colours.\n";
    return page;
}

} // namespace ep::app
