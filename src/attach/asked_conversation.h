// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"

#include <string>
#include <string_view>

namespace ep::attach {

// What a request contains beyond one prompt: messages, system texts, tools and variables, in the
// form in which conversations are stored. Empty if it is a prompt alone. prompt: that of a request
// without messages.
Conversation conversationIn(std::string_view body, const std::string& prompt);

} // namespace ep::attach
