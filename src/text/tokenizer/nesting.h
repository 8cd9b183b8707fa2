// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::text {

// Stages of tokenizer.json may be sequences of stages; deeper nesting than this is an error.
inline constexpr int kMaximalNesting = 16;

} // namespace ep::text
