// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

// The command line as declared to the parser, and the documents generated from it.
namespace ep::app {

struct OptionDoc {
    std::vector<std::string> names; // "-h", "--help"; empty: positional
    std::string value; // "FILE"; empty: a flag
    std::vector<std::string> choices;
    std::string description;
    std::string group; // title in the help
    std::vector<std::string> needs; // options without which this option has no meaning
    bool required = false;
    bool several = false;
};

struct CommandDoc {
    std::vector<std::string> words; // words of the subcommand; empty: the program
    std::string description;
    std::vector<OptionDoc> options;
    std::vector<CommandDoc> commands;
};

CommandDoc readCommandTree(const CLI::App& app); // without hidden commands

std::string manPage(const CommandDoc& program, const std::string& version);
std::string bashCompletion(const CommandDoc& program);
std::string zshCompletion(const CommandDoc& program);

} // namespace ep::app
