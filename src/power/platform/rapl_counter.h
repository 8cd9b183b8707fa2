// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ep::power {

// Reads a kernel file that contains one integer; absent if it may not be read.
std::optional<std::uint64_t> readCounter(const std::filesystem::path& path);

} // namespace ep::power
