// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

// The files of resources/schema that describe the bodies of the API. A test validates real replies
// against them.
namespace ep::api {

// One JSON object with the bodies that only the API has, by component name.
std::string_view componentSchemas();

// A body that a command also prints.
struct CommandSchema {
    std::string_view component;
    std::string_view text;
};
std::array<CommandSchema, 2> commandSchemas();

} // namespace ep::api
