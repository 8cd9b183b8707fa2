// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/text/chat_template.h"

#include <string_view>
#include <vector>

namespace ep::text {

// Returns the template's variables that a user may set: those that the template reads and whose
// possible values are known. Empty if the template cannot be tokenized.
std::vector<TemplateChoice> choicesIn(std::string_view source);

} // namespace ep::text
