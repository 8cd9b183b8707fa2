// SPDX-License-Identifier: GPL-3.0-or-later
#include "routes.h"

#include "ep/core/joined.h"
#include "ep/json/document.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

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

// Returns why the value is invalid; empty: it is valid.
std::string checkValue(const Parameter& parameter, const std::string& text)
{
    if (parameter.type == "integer") {
        std::int64_t value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (read.ec != std::errc() || read.ptr != text.data() + text.size()
            || value < parameter.least || value > parameter.most) {
            return " must be a whole number from " + std::to_string(parameter.least) + " to "
                + std::to_string(parameter.most) + ".";
        }
    } else if (parameter.type == "number") {
        const auto value = json::parse(text); // independent of the locale
        if (!value || !value->is_number())
            return " must be a number.";
    } else if (!parameter.choices.empty() && std::ranges::count(parameter.choices, text) == 0) {
        return " must be one of " + joined(parameter.choices) + ".";
    }
    return parameter.required && text.empty() ? " is required." : "";
}

} // namespace

std::string checkQuery(const Route& route, const std::map<std::string, std::string>& query)
{
    for (const Parameter& parameter : route.parameters) {
        auto found = query.find(parameter.name);
        if (found == query.end() && !parameter.alias.empty())
            found = query.find(parameter.alias);
        if (found == query.end()) {
            if (parameter.required)
                return parameter.name + " is required.";
            continue;
        }
        if (const std::string problem = checkValue(parameter, found->second); !problem.empty())
            return found->first + problem;
    }
    for (const auto& entry : query) {
        const std::string& name = entry.first;
        const bool known = std::ranges::any_of(route.parameters, [&](const Parameter& parameter) {
            return name == parameter.name || (!name.empty() && name == parameter.alias);
        });
        if (!known)
            return name + " is not a parameter of this request; /openapi.json lists them.";
    }
    return {};
}

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
