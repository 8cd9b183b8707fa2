// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/run.h"

#include <filesystem>
#include <string>

// The first lines of a text about a run, wrapped to the width of the output.
namespace ep::app {

// Where the energy went, and in one or two lines how it was obtained and how good it is.
std::string openingText(const Run& run, const Message& answer);
// Energy with its interval, energies per token, tokens, speed and phases.
std::string figuresText(const Run& run);
// The id of a stored run, and its database if that fits into the line.
std::string savedLine(const Run& run, const std::filesystem::path& database);

} // namespace ep::app
