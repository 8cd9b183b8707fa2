// SPDX-License-Identifier: GPL-3.0-or-later
#include "conversation_parts.h"

#include <array>
#include <utility>

namespace ep::json {

Status setVariable(std::string& variables, const std::string& nameAndValue)
{
    const std::size_t equals = nameAndValue.find('=');
    if (equals == std::string::npos || equals == 0)
        return Error{
            ErrorCode::InvalidInput,
            {"%1 is no variable of the template: write NAME=VALUE, as in enable_thinking=false.",
             inQuotes(nameAndValue)}};
    const std::string name = nameAndValue.substr(0, equals);
    const std::string text = nameAndValue.substr(equals + 1);
    if (name == "messages" || name == "tools")
        return Error{ErrorCode::InvalidInput,
                     {"The variable %1 of the template is given by --messages FILE.", name}};
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPython{
        {{"True", "true"}, {"False", "false"}, {"None", "null"}}};
    for (const auto& [python, json] : kPython) { // as a text, even "False" is true in templates
        if (text == python)
            return Error{ErrorCode::InvalidInput,
                         {"The value of %1 is JSON: write %2 instead of %3.", name, json, text}};
    }
    const auto value = parseOrdered(text);
    if (!value && (text.starts_with('{') || text.starts_with('[') || text.starts_with('"')))
        return Error{value.error().code, {"The value of %1 is %2.", name, value.error().message}};
    OrderedJson added = OrderedJson::object();
    added[name] = value ? *value : OrderedJson(text);
    variables = mergedVariables(variables, compact(added));
    return {};
}

std::string mergedVariables(const std::string& variables, const std::string& stronger)
{
    if (variables.empty() || stronger.empty())
        return variables.empty() ? stronger : variables;
    auto all = parseOrdered(variables);
    const auto more = parseOrdered(stronger);
    if (!all || !more || !all->is_object() || !more->is_object())
        return stronger;
    all->update(*more);
    return compact(*all);
}

} // namespace ep::json
