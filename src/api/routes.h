// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_connection.h"
#include "run_view.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// The table of the API: what is served, how it is described (openapi.cpp), and its handlers.
namespace ep::api {

using Arguments = std::map<std::string, std::string>; // values from the path: {"id", "1a2b..."}

// A query parameter. The description states these limits and checkQuery() enforces them.
struct Parameter {
    std::string name;
    std::string type = "string"; // in JSON Schema; also "integer" and "number"
    std::string description{};
    bool required = false;
    std::vector<std::string> choices{};
    std::int64_t least = 0; // smallest integer
    std::int64_t most = kMaxInteger;
    std::string pattern{}; // only stated; the handler enforces it
    std::string alias{}; // another name of the parameter

    static constexpr std::int64_t kMaxInteger = 4'000'000'000'000'000'000;
};

struct Route {
    std::string method; // "GET"
    std::string path; // "/api/profiling/run/{id}"
    std::string summary;
    std::vector<Parameter> parameters{}; // parameters of the query
    std::string body{}; // schema of the request's body
    std::string answer{}; // name of the schema of 200; empty: not JSON
    std::string answer_type = "application/json";
    std::vector<std::string> other_answers{}; // further types that are not JSON
    std::vector<int> refusals{}; // status codes in addition to the common ones
    bool open = false; // needs no token, and therefore discloses nothing
    std::function<void(const HttpRequest&, const Arguments&, const Reply&)> handle{};
};

struct Match {
    const Route* route = nullptr;
    Arguments arguments{};
    std::vector<std::string> allowed{}; // methods of the path, if this method is not one of them
};
Match findRoute(const std::vector<Route>& routes, const HttpRequest& request);
// Why a query parameter is refused; empty: all are accepted.
std::string checkQuery(const Route& route, const std::map<std::string, std::string>& query);

// The OpenAPI 3.1 document generated from the table.
Json openApiDocument(const std::vector<Route>& routes);

} // namespace ep::api
