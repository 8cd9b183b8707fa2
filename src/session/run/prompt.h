// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace ep::session {

// Text that is valid for all later stages: invalid UTF-8 and NUL become U+FFFD.
std::string cleanPrompt(std::string_view prompt);

// Whether a prompt of this length fits the model, and whether the number of new tokens is valid. A
// generation that fills the context ends there.
Status checkLengths(std::size_t promptTokens, int maxNewTokens, const ModelFacts& model);
// Whether a prompt fits the context that a run asks for; 0: it asks for none.
Status checkAskedContext(std::size_t promptTokens, int context);
// Checks a prompt that is not encoded yet and has at least `leastTokens`.
Status checkLeast(std::size_t leastTokens, const ModelFacts& model);

} // namespace ep::session
