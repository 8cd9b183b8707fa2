// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

// Earlier names of commands and options. Scripts that use them keep working; no help lists them.
namespace ep::app {

// The arguments with the present names in the place of earlier ones.
std::vector<std::string> withPresentNames(std::vector<std::string> arguments);

// The present name of a command that scripts did not use, for the message about an unknown command;
// empty: the command never existed.
std::string_view presentNameOf(std::string_view command);

} // namespace ep::app
