// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

// What the command line takes, read from the parser itself, and the documents that are made of it.
namespace ep::app {

struct OptionDoc {
    std::vector<std::string> names; // "-h", "--help"; empty: positional
    std::string value; // "FILE"; empty: a flag
    std::vector<std::string> choices;
    std::string description;
    bool required = false;
    bool several = false;
};

struct CommandDoc {
    std::vector<std::string> words; // of the subcommand; empty: the program
    std::string description;
    std::vector<OptionDoc> options;
    std::vector<CommandDoc> commands;
};

// The words with something between each two.
std::string joined(const std::vector<std::string>& words, const char* between);

CommandDoc readCommandTree(const CLI::App& app); // hidden commands are left out

std::string manPage(const CommandDoc& program, const std::string& version);
std::string bashCompletion(const CommandDoc& program);
std::string zshCompletion(const CommandDoc& program);

} // namespace ep::app
