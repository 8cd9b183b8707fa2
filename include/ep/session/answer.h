// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/result.h"
#include "ep/core/run.h"

#include <string>

namespace ep::store {
class Store;
}

namespace ep::session {

// Where the energy (or time) of a run went: the first sentence of explainRun() alone, for a stored
// run and for a complete one in memory. Any thread.
Result<Message> answerOf(const store::Store& store, const std::string& id);
Message answerOf(const Run& run);

} // namespace ep::session
