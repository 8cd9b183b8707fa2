// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_message.h"

#include <deque>
#include <map>
#include <string>
#include <string_view>

// The id by which a client names the session or job of a request. Tags hold it, so it must be
// short and printable; any other id is ignored.
namespace ep::api {

inline constexpr std::size_t kLongestJob = 100; // characters

// Sessions that others have begun, such as those of sub-agents. Keeps the newest.
class SessionTree {
public:
    // The session that `session` descends from, or itself. parent: empty if the request does not
    // state it.
    std::string rootOf(const std::string& session, const std::string& parent);

private:
    std::map<std::string, std::string> m_roots;
    std::deque<std::string> m_order; // oldest first
};

std::string usableJob(const std::string& id); // empty unless it is short and printable

// The job that the headers name; client_job.cpp has the table of agents. Empty: none.
std::string jobOfHead(const HttpRequest& request, SessionTree& sessions);
// The job that the members of a JSON object name.
std::string jobOfBody(std::string_view body, SessionTree& sessions);

} // namespace ep::api
