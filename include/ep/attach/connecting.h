// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/endpoint.h"
#include "ep/core/result.h"

#include <string>

namespace ep::attach {

// A socket that is connecting to the server, or has connected, and never blocks; the caller owns
// and closes it. Failures that come later are errors of its reads and writes.
Result<int> beginConnecting(const Endpoint& endpoint);

// What went wrong, by errno, in a sentence: nothing listens there, or the connection broke.
Error connectionError(const Endpoint& endpoint, int error);
bool nobodyListens(const Error& error); // it is the former

} // namespace ep::attach
