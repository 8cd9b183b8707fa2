// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/pays_card.h"

#include <string>

namespace ep::session {

// "sha256:...", over all fields but the hash itself, and the verdict that follows from them.
std::string cardHash(const PaysCard& card);

// What makeCard() could not have written, one sentence; empty: nothing was found.
std::string cardProblem(const PaysCard& card);

} // namespace ep::session
