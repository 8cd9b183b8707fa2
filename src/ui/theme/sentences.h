// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"

#include <string_view>

namespace ep::ui {

// Finds the message that has this English text among the patterns of the translation, because
// databases and files hold a run's notes and errors in English. Returns the text itself if there is
// none.
Message messageOf(std::string_view text);

} // namespace ep::ui
