// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_message.h"

#include <string>
#include <vector>

// The WebSocket handshake (RFC 6455).
namespace ep::api {

inline constexpr const char* kLivePath = "/ws/profiling";

// Pages in a browser cannot set headers, so they offer the protocols "energy-profiler", which is
// accepted, and "token.TOKEN" instead of an Authorization header.
inline constexpr std::string_view kLiveProtocol = "energy-profiler";
inline constexpr std::string_view kTokenProtocol = "token.";
std::vector<std::string> offeredProtocols(const HttpRequest& request);

// Checks a handshake; an invalid one gets a reply with the reason.
HttpRefusal checkHandshake(const HttpRequest& request, bool full);

// The head of the reply to a valid handshake.
std::string handshakeAnswer(const HttpRequest& request);

} // namespace ep::api
