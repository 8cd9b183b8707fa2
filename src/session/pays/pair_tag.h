// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep::session {

// "pays:a#12": the tag of a run of the 12th pair.
std::string pairTag(bool a, int pair);

} // namespace ep::session
