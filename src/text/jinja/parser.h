// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "syntax.h"

#include <string_view>

namespace ep::text::jinja {

// Throws Failure with the line.
Block parseTemplate(std::string_view source);

} // namespace ep::text::jinja
