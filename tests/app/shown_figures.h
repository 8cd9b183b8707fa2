// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_view.h"

#include <optional>
#include <sstream>
#include <string>

// Finds figures in the program's output.
namespace ep::test {

inline std::optional<double> numberAt(const api::Json& json, const std::string& key)
{
    const auto found = json.find(key);
    return found == json.end() || found->is_null() ? std::nullopt
                                                   : std::optional(found->get<double>());
}

// The line of a text that begins with this cell; empty if there is none.
inline std::string lineOf(const std::string& text, const std::string& word)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(word + "  "))
            return line;
    }
    return {};
}

} // namespace ep::test
