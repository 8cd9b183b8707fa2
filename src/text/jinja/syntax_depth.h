// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "syntax.h"

namespace ep::text::jinja {

// Depth of the deepest part of an expression; 0 if it has no parts.
int depthBelow(const Expression& expression);

} // namespace ep::text::jinja
