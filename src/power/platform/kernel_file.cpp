// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/kernel_file.h"

#include "ep/core/number_text.h"

#include <fstream>

namespace ep::power {

std::optional<std::uint64_t> readCounter(const std::filesystem::path& path)
{
    const auto value = ep::readWhole(readLine(path));
    return value && *value >= 0 ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

std::optional<double> readNumber(const std::filesystem::path& path)
{
    return ep::readNumber(readLine(path));
}

std::string readLine(const std::filesystem::path& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

} // namespace ep::power
