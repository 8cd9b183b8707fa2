// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace ep::app {

// Removes everything after the first `--` of `energy-profiler record` from the command line, so
// that the parser cannot take it for options of its own. Call once, at the start.
void takeCommandWords(int& argc, char** argv);
const std::vector<std::string>& wordsAfterDashes();

} // namespace ep::app
