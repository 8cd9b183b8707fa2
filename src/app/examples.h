// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace CLI {
class App;
}

namespace ep::app {

struct Example {
    std::string_view command; // words of the subcommand: "runs export"
    std::string_view arguments; // as typed after the subcommand
    std::string_view what; // description of the example
};

std::span<const Example> examples();

// Adds the examples below the help of each subcommand.
void addExamples(CLI::App& app);

} // namespace ep::app
