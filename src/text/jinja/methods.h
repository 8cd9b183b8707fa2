// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runtime.h"

#include <string>
#include <string_view>

namespace ep::text::jinja {

using TextMethod = Value (*)(Runtime&, const std::string&, const Arguments&);

// A method of Python's str; null if there is none with this name.
TextMethod findTextMethod(std::string_view name);
// Only those that test a text, such as isdigit.
TextMethod findTextPredicate(std::string_view name);

} // namespace ep::text::jinja
