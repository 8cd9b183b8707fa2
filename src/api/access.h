// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_message.h"

#include "ep/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

// Who may speak to the server.
namespace ep::api {

// The token of the file, which is made with a new one where it does not exist. A file that others
// may read is refused.
Result<std::string> readOrMakeToken(const std::filesystem::path& file);

// Host must name this machine's loopback and the port, so that a name that an attacker lets point
// to 127.0.0.1 is of no use; an Origin must be the server itself.
HttpRefusal checkOrigin(const HttpRequest& request, std::uint16_t port);

// In the header Authorization or, of a WebSocket, among the protocols that it offers.
bool hasToken(const HttpRequest& request, const std::string& token);

} // namespace ep::api
