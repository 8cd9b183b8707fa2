// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ep::session {

// The parts of a macOS program or library that dyld reads before starting it: a 64-bit Mach-O,
// alone or as part of a universal file.
struct MachObject {
    struct Library {
        std::string name; // "@rpath/libtorch.dylib"
        bool weak = false; // may be missing
    };
    std::vector<Library> libraries; // required libraries, without itself
    std::vector<std::string> rpaths;
    std::string minimum{}; // oldest macOS, "14.0"; empty: not said
};

// Absent if the file is not one, or is truncated.
std::optional<MachObject> readMachObject(const std::filesystem::path& file);

} // namespace ep::session
