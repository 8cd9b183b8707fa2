// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

namespace ep::ui {

// Asks what to do about a database that the settings name and that is not there: its disk may be
// missing, or it was moved. Returns the one to use, which is the same path if a new one is to be
// made there; nothing: the user wants to leave. Blocks; for the start, before there is a window.
std::optional<std::filesystem::path> askForDatabase(const std::filesystem::path& missing);

} // namespace ep::ui
