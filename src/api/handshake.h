// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_message.h"

#include <string>
#include <vector>

// How a WebSocket begins (RFC 6455).
namespace ep::api {

inline constexpr const char* kLivePath = "/ws/profiling";

// A page in a browser cannot set headers: it offers the protocol "energy-profiler", which is
// accepted, and "token.TOKEN" in place of an Authorization header.
inline constexpr std::string_view kLiveProtocol = "energy-profiler";
inline constexpr std::string_view kTokenProtocol = "token.";
std::vector<std::string> offeredProtocols(const HttpRequest& request);

// What a handshake must hold, so that a wrong one gets an answer that says so.
HttpRefusal checkHandshake(const HttpRequest& request, bool full);

// The head of the answer to one that was checked.
std::string handshakeAnswer(const HttpRequest& request);

} // namespace ep::api
