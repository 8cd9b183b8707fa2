// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace ep::api {

// The files of resources/schema that describe the bodies of the API; a test validates real replies
// against them. One JSON object with the bodies that only the API has, by component name.
std::string_view componentSchemas();

// A body that a command also prints.
struct CommandSchema {
    std::string_view component;
    std::string_view text;
};
std::array<CommandSchema, 2> commandSchemas();

// GET /live: a page that shows runs in progress. Served here because pages of other origins are
// refused.
std::string_view livePage();

} // namespace ep::api
