// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/temp_folder.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace ep::test {

// A folder of devices with one value per file, like the kernel's under /sys/class.
class SystemTree {
public:
    const std::filesystem::path& folder() const { return m_folder.path(); }
    void add(const std::string& device, const std::map<std::string, std::string>& files) const
    {
        std::filesystem::create_directory(folder() / device);
        for (const auto& [file, text] : files)
            std::ofstream(folder() / device / file) << text << "\n";
    }

private:
    TempFolder m_folder;
};

} // namespace ep::test
