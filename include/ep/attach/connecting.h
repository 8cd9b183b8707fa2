// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/endpoint.h"
#include "ep/core/result.h"

#include <string>

namespace ep::attach {

// A socket that is connecting or has connected to the server and never blocks; the caller owns and
// closes it. Later failures appear as errors when reading and writing.
Result<int> beginConnecting(const Endpoint& endpoint);

// A sentence about the errno: nothing listens there, or the connection broke.
Error connectionError(const Endpoint& endpoint, int error);
bool nobodyListens(const Error& error); // whether nothing listens there

} // namespace ep::attach
