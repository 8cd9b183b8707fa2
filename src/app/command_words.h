// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace ep::app {

// Cuts what follows the first `--` of `energy-profiler record` off the command line, before the
// parser could take any of it for its own. Once, at the start.
void takeCommandWords(int& argc, char** argv);
const std::vector<std::string>& wordsAfterDashes();

} // namespace ep::app
