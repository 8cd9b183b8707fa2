// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <string>

namespace ep {

// What lists and headings call a run: its title, or without one its prompt. The title of a command
// is its words; unless the user changed it, they are without their folders here: "python hf.py".
std::string runTitle(const RunInfo& info);

} // namespace ep
