// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <string>

namespace ep::session {

inline constexpr int kNoSuchProgram = 127; // exit statuses of shells
inline constexpr int kCannotExecute = 126;

// Why a command with this program cannot start: there is none of the name in the folders of PATH,
// or it must not be executed. status: what a shell returns then.
Status findProgram(const std::string& program, int& status);

} // namespace ep::session
