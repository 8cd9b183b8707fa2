// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_message.h"

#include <string>
#include <string_view>

// The id by which a client names the session or job of a request. Tags hold it, so it must be
// short and printable; any other id is ignored. Pure.
namespace ep::api {

inline constexpr std::size_t kLongestJob = 100; // characters

std::string jobOfHead(const HttpRequest& request); // X-Job-Id, X-Session-Id, ...
// session_id, conversation_id, prompt_cache_key and others of a JSON object, or of its `metadata`.
std::string jobOfBody(std::string_view body);

} // namespace ep::api
