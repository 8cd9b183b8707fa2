// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_message.h"

#include "ep/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

// Decides who may use the server.
namespace ep::api {

// The token in the file, which is created with a new one if it does not exist. A file that others
// can read is refused.
Result<std::string> readOrMakeToken(const std::filesystem::path& file);

// Host must name this machine's loopback address and the port, to defeat DNS rebinding to
// 127.0.0.1; an Origin must be the server itself.
HttpRefusal checkOrigin(const HttpRequest& request, std::uint16_t port);

// In the Authorization header or, for a WebSocket, among the offered protocols.
bool hasToken(const HttpRequest& request, const std::string& token);

} // namespace ep::api
