// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <string>

namespace ep {

// What lists and headings call a run: its title if the user gave one, "python hf.py" for a command
// (each word without its folders), otherwise its prompt.
std::string runTitle(const RunInfo& info);

} // namespace ep
