// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/kernel_file.h"

#include <fstream>

namespace ep::power {

std::optional<std::uint64_t> readCounter(const std::filesystem::path& path)
{
    std::ifstream file(path);
    std::uint64_t value = 0;
    return file >> value ? std::optional(value) : std::nullopt;
}

std::string readLine(const std::filesystem::path& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

} // namespace ep::power
