// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace ep {

// The arguments of a command as typed: words between blanks, quoted with ' or " where they hold
// some, and a backslash before a single character. Nothing is expanded. The inverse of
// commandText() (command_record.h).
Result<std::vector<std::string>> commandWords(std::string_view text);

// The umask that the program was started with. Commands that it starts get it back, while the
// program's own files are private to their owner. Set once, at the start.
void rememberUmask(unsigned mask);
unsigned umaskAtStart();

} // namespace ep
