// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/text/chat_template.h"

#include <string_view>
#include <vector>

namespace ep::text {

// The template's variables that a user may choose: those that it reads and whose values are known.
// Empty if the template cannot be tokenized.
std::vector<TemplateChoice> choicesIn(std::string_view source);

} // namespace ep::text
