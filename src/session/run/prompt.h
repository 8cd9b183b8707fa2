// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace ep::session {

// Text that every later part can carry: invalid UTF-8 and NUL become U+FFFD.
std::string cleanPrompt(std::string_view prompt);

// Whether a prompt of so many tokens fits the model, and whether so many new ones make sense. A
// generation that fills the context ends there.
Status checkLengths(std::size_t promptTokens, int maxNewTokens, const ModelFacts& model);

} // namespace ep::session
