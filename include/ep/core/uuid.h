// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep {

// Random (version 4) UUID in lower-case hex with dashes.
std::string makeUuid();

} // namespace ep
