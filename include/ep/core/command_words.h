// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace ep {

// Splits a command line into arguments at blanks; quotes (' or ") or a backslash allow blanks
// inside an argument. Nothing is expanded. The inverse of commandText() (command_record.h).
Result<std::vector<std::string>> commandWords(std::string_view text);

// The umask that the program was started with. Commands get it back, whereas files of the program
// itself are private to their owner. Set once, at the start.
void rememberUmask(unsigned mask);
unsigned umaskAtStart();

} // namespace ep
