// SPDX-License-Identifier: GPL-3.0-or-later
#include "routes.h"

#include <optional>

namespace ep::api {

namespace {

std::optional<Arguments> matched(std::string_view pattern, const std::vector<std::string>& path)
{
    Arguments arguments;
    std::size_t index = 0;
    pattern.remove_prefix(1);
    while (!pattern.empty()) {
        const std::size_t slash = pattern.find('/');
        const std::string_view part = pattern.substr(0, slash);
        if (index == path.size())
            return std::nullopt;
        if (part.front() == '{')
            arguments[std::string(part.substr(1, part.size() - 2))] = path[index];
        else if (part != path[index])
            return std::nullopt;
        ++index;
        pattern = slash == std::string_view::npos ? std::string_view() : pattern.substr(slash + 1);
    }
    if (index != path.size())
        return std::nullopt;
    return arguments;
}

} // namespace

Match findRoute(const std::vector<Route>& routes, const HttpRequest& request)
{
    Match match;
    for (const Route& route : routes) {
        auto arguments = matched(route.path, request.path);
        if (!arguments)
            continue;
        if (route.method == request.method || (route.method == "GET" && request.method == "HEAD")) {
            match.route = &route;
            match.arguments = std::move(*arguments);
            return match;
        }
        match.allowed.push_back(route.method);
    }
    return match;
}

} // namespace ep::api
