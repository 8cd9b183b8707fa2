// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runtime.h"

#include <string>

namespace ep::text::jinja {

// Python's pprint.pformat(): the source of a value, with sorted keys, broken into lines of at most
// 80 characters where that is possible. Charges the runtime.
std::string prettyPrinted(Runtime& runtime, const Value& value);

} // namespace ep::text::jinja
