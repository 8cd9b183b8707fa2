// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <string>

namespace ep {

// What lists and headings call a run: its title or, if it has none, its prompt. The title of a
// command is its command line; unless the user changed it, folders are left out here:
// "python hf.py".
std::string runTitle(const RunInfo& info);

} // namespace ep
