// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstdint>
#include <string>

namespace ep::attach {

// A server on this machine. Others are refused, because their power cannot be measured here and
// prompts would leave the machine.
struct Endpoint {
    std::string host; // "127.0.0.1", another loopback address, or "::1"
    std::uint16_t port = 0;

    bool operator==(const Endpoint&) const = default;
    std::string origin() const; // "http://127.0.0.1:11434", "http://[::1]:8080"
};

// "http://localhost:11434", "127.0.0.1:8080", "[::1]:8080", "8080". `localhost` is 127.0.0.1.
Result<Endpoint> parseEndpoint(const std::string& text);

// A socket that is connecting or has connected to the server and never blocks; the caller owns and
// closes it. Later failures appear as errors when reading and writing.
Result<int> beginConnecting(const Endpoint& endpoint);

// A sentence about the errno: nothing listens there, or the connection broke.
Error connectionError(const Endpoint& endpoint, int error);
bool nobodyListens(const Error& error); // whether nothing listens there

} // namespace ep::attach
