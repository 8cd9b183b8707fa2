// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <string>
#include <string_view>

// Runs whose texts are not to be kept. Equal texts keep equal hashes, so that runs of one prompt
// can still be found and compared.
namespace ep::session {

// "sha256:" and 64 hexadecimal digits; an empty text stays empty.
std::string hashedText(std::string_view text);

void hashTexts(RunInfo& info); // prompts, responses and stop texts
void hashTexts(Run& run); // and the texts of its tokens are left out
void leaveTextOut(TokenSpan& token); // its text and its id

} // namespace ep::session
