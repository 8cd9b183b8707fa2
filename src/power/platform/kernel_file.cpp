// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/kernel_file.h"

#include <fstream>
#include <limits>

namespace ep::power {

std::optional<std::uint64_t> readCounter(const std::filesystem::path& path)
{
    const auto number = readNumber(path);
    std::ifstream file(path);
    std::uint64_t value = 0;
    // The stream would read "-1" as the largest number.
    if (!number || *number < 0.0 || !(file >> value)
        || value == std::numeric_limits<std::uint64_t>::max())
        return std::nullopt;
    return value;
}

std::optional<double> readNumber(const std::filesystem::path& path)
{
    std::ifstream file(path);
    double value = 0.0;
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
