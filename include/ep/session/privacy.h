// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <string>
#include <string_view>

// Removes texts from runs. Equal texts have equal hashes, so that runs of the same prompt can still
// be found and compared.
namespace ep::session {

// "sha256:" and 64 hexadecimal digits; an empty text stays empty.
std::string hashedText(std::string_view text);

// Hashes prompts, responses, stop texts, and a conversation's messages, tools and variables.
void hashTexts(RunInfo& info);
void hashTexts(Run& run); // also removes the texts of its tokens
void leaveTextOut(TokenSpan& token); // removes its text and id

} // namespace ep::session
