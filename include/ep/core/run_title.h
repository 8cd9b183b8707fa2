// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <string>

namespace ep {

// The name of a run in lists and headings: its title or, if it has none, its prompt. The title of a
// command is its command line; unless the user changed it, this function omits its folders: "python
// hf.py".
std::string runTitle(const RunInfo& info);

std::string shortId(const std::string& id); // "1a2b3c4d": enough to tell runs apart

} // namespace ep
