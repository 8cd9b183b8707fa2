// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::text {

// Some tables of the reference library are older than those of our libraries, and ids depend on
// them: punctuation is from Unicode 7, decompositions are from Unicode 12, and the marks removed as
// accents are from Unicode 9 or, in BertNormalizer, 8.

bool isNewPunctuation(char32_t c); // punctuation added after Unicode 7
bool hasNewDecomposition(char32_t c); // decomposition added after Unicode 12
bool isNewMark(char32_t c); // mark added after Unicode 9
bool isNewMarkOfBert(char32_t c);
bool isNewFormat(char32_t c); // general category Cf only since Unicode 8

} // namespace ep::text
