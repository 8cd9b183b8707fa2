// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace ep::app {

// A flag and its opposite ("--twin,!--no-twin"); absent if neither is given. CLI11 2.1's own flags
// for optional values would then be false.
inline CLI::Option* addSwitch(CLI::App& command, const std::string& names,
                              std::optional<bool>& value, const std::string& help)
{
    return command.add_flag_function(
        names, [&value](std::int64_t count) { value = count > 0; }, help);
}

} // namespace ep::app
