// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_connection.h"
#include "run_view.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// The table of the API: what is served, its description (openapi.cpp) and its handlers.
namespace ep::api {

using Arguments = std::map<std::string, std::string>; // of a path: {"id", "1a2b..."}

struct Parameter {
    std::string name;
    std::string type = "string"; // in JSON Schema
    std::string description{};
    bool required = false;
    std::vector<std::string> choices{};
};

struct Route {
    std::string method; // "GET"
    std::string path; // "/api/profiling/run/{id}"
    std::string summary;
    std::vector<Parameter> parameters{}; // in the query
    std::string body{}; // name of its schema
    std::string answer{}; // name of the schema of 200; empty: not JSON
    std::string answer_type = "application/json";
    std::vector<int> refusals{}; // status codes other than 400, 401 and 403
    bool open = false; // needs no token, and therefore discloses nothing
    std::function<void(const HttpRequest&, const Arguments&, const Reply&)> handle{};
};

struct Match {
    const Route* route = nullptr;
    Arguments arguments{};
    std::vector<std::string> allowed{}; // methods of the path, if the method is not one of them
};
Match findRoute(const std::vector<Route>& routes, const HttpRequest& request);

// The OpenAPI 3.1 document generated from the table.
Json openApiDocument(const std::vector<Route>& routes);

} // namespace ep::api
