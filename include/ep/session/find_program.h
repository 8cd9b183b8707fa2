// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace ep::session {

inline constexpr int kNoSuchProgram = 127; // exit statuses that shells use
inline constexpr int kCannotExecute = 126;

// Why a command with this program cannot start: no folder of PATH has a program of this name, or
// it is not executable. status: what a shell would return.
Status findProgram(const std::string& program, int& status);

// The words of a command line, split as by commandWords(), if its program can start.
Result<std::vector<std::string>> startableWords(std::string_view line);

} // namespace ep::session
