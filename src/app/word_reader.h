// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace ep::app {

// The words of a command line, compared with what is declared to the parser.
struct CommandWords {
    // For the parser: "--prompt=" as "--prompt" and an empty word, which CLI11 would replace by
    // the next word.
    std::vector<std::string> arguments{};
    std::string command = "energy-profiler"; // "energy-profiler runs show": whose help applies
    std::string problem{}; // the mistake in a word, and the nearest right one; empty: none
    std::string hint{}; // the nearest choice, if the value of an option is none of its choices
    std::vector<std::string> missing{}; // the commands to choose from, if none was given
};

CommandWords readWords(const CLI::App& app, const std::vector<std::string>& arguments);

// The candidate that differs in the fewest letters; empty if none resembles the word.
std::string nearestWord(const std::string& word, const std::vector<std::string>& candidates);

} // namespace ep::app
