// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"

#include <string_view>

namespace ep::ui {

// The message whose English this text is, found among the patterns of the translation: databases
// and files hold the English of a run's notes and errors. The text itself if there is none.
Message messageOf(std::string_view text);

} // namespace ep::ui
