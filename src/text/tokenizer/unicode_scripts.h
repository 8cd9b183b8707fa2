// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep::text {

// A pattern whose matches are runs of one script, for the pre-tokenizer UnicodeScripts: Hiragana,
// Katakana and the long vowel mark count as Han; the blank and unassigned characters belong to the
// script before them.
std::string scriptRunsPattern();

} // namespace ep::text
