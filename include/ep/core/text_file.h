// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <filesystem>
#include <istream>
#include <string>

namespace ep {

// More is no text that a person gave: an endless device, or the wrong file.
inline constexpr std::size_t kLongestTextFile = 64 * 1024 * 1024;

// The whole text of a file or a pipe, of at most kLongestTextFile bytes.
Result<std::string> readTextFile(const std::filesystem::path& file);
// The same of a stream, which an error calls `name`.
Result<std::string> readStream(std::istream& stream, const std::string& name);

} // namespace ep
