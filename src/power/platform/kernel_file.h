// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

// Files below /sys in which Linux shows one value each.
namespace ep::power {

// An integer; absent if the file cannot be read, contains none, or contains the value that drivers
// use for "error": -1, or all bits set.
std::optional<std::uint64_t> readCounter(const std::filesystem::path& path);
// Any number; absent if the file cannot be read or contains none.
std::optional<double> readNumber(const std::filesystem::path& path);
// The only line; empty if the file cannot be read.
std::string readLine(const std::filesystem::path& path);

} // namespace ep::power
