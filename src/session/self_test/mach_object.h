// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ep::session {

// What dyld reads of a program or library of macOS before it starts it: a 64-bit Mach-O, alone or as
// part of a file for several processors.
struct MachObject {
    struct Library {
        std::string name; // "@rpath/libtorch.dylib"
        bool weak = false; // may be missing
    };
    std::vector<Library> libraries; // that it needs, without itself
    std::vector<std::string> rpaths;
    std::string minimum{}; // oldest macOS, "14.0"; empty: not said
};

// Nothing when the file is no such thing, or is cut off.
std::optional<MachObject> readMachObject(const std::filesystem::path& file);

} // namespace ep::session
