// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace ep {

// Random (version 4) UUID in lower-case hex with dashes.
std::string makeUuid();

// Whether the text is a UUID of any version, in hex with dashes. No other run ids are accepted from
// outside, since they appear in file names, addresses and headers.
bool isRunId(std::string_view text);

} // namespace ep
