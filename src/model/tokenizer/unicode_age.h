// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::model {

// Some tables of the reference library are older than those of our libraries, and ids depend on
// them: it takes punctuation from Unicode 7 and decompositions from Unicode 12.

bool isNewPunctuation(char32_t c); // punctuation, but only since then
bool hasNewDecomposition(char32_t c); // decomposes, but only since then

} // namespace ep::model
