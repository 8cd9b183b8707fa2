// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "syntax.h"

namespace ep::text::jinja {

// Depth of the deepest part of an expression; 0 when it has none.
int depthBelow(const Expression& expression);

} // namespace ep::text::jinja
