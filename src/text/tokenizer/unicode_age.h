// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::text {

// Some tables of the reference library are older than those of our libraries, and ids depend on
// them: it takes punctuation from Unicode 7, decompositions from Unicode 12, and the marks that are
// taken away as accents from Unicode 9 or, in BertNormalizer, 8.

bool isNewPunctuation(char32_t c); // punctuation, but only since then
bool hasNewDecomposition(char32_t c); // decomposes, but only since then
bool isNewMark(char32_t c); // a mark, but only since then
bool isNewMarkOfBert(char32_t c);
bool isNewFormat(char32_t c); // general category Cf, but only since Unicode 8

} // namespace ep::text
