// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace ep::session {

inline constexpr int kNoSuchProgram = 127; // exit statuses of shells
inline constexpr int kCannotExecute = 126;

// Why a command with this program cannot start: there is none of the name in the folders of PATH,
// or it must not be executed. status: what a shell returns then.
Status findProgram(const std::string& program, int& status);

// The words of a command line, as commandWords() cuts them, if its program can start.
Result<std::vector<std::string>> startableWords(std::string_view line);

} // namespace ep::session
