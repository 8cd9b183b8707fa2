// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "value.h"

#include <string>

namespace ep::text::jinja {

class Runtime;

// Python's str.format: "{} {0} {name[key].attribute!r:>5}".
std::string formatBraces(Runtime& runtime, const std::string& format, const Arguments& arguments);

} // namespace ep::text::jinja
