// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/pays_card.h"

#include <string>

namespace ep::session {

// "sha256:...", over all fields except the hash itself and the verdict, which follows from them.
std::string cardHash(const PaysCard& card);

// A sentence about something that makeCard() could not have written; empty: nothing found.
std::string cardProblem(const PaysCard& card);

} // namespace ep::session
