// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace ep::app {

struct Example {
    std::string command; // words of the subcommand: "runs export"
    std::string arguments; // as typed after the subcommand
    std::string what; // description of the example
};

const std::vector<Example>& examples();

// Adds them below the help of each subcommand.
void addExamples(CLI::App& app);

} // namespace ep::app
