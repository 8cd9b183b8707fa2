// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

namespace ep::ui {

// Asks what to do if the database in the settings does not exist: its disk may be missing, or it
// was moved. Returns the database to use (the same path if a new one is to be created there);
// nothing if the user wants to leave. Blocks; for the start, before there is a window.
std::optional<std::filesystem::path> askForDatabase(const std::filesystem::path& missing);

} // namespace ep::ui
