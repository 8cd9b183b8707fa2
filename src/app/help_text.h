// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace ep::app {

// Options in this group are shown by --help-all only.
inline constexpr const char* kRarely = "Rarely needed";

struct OptionGroup {
    const char* title;
    std::string_view options; // names, separated by blanks
};
// Shows the options of a command under these titles.
void groupOptions(CLI::App& command, std::span<const OptionGroup> groups);

// The help of a command, wrapped to the width of the output. `path`: "energy-profiler runs list".
std::string helpText(const CLI::App& command, const std::string& path, bool everything);

} // namespace ep::app
