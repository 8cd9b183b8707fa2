// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"

#include <filesystem>
#include <istream>
#include <string>

namespace ep {

// Anything larger is not a text that a user wrote, but an endless device or the wrong file.
inline constexpr std::size_t kLongestTextFile = 64 * 1024 * 1024;

// The whole text of a file, up to kLongestTextFile bytes, or of a pipe that the shell has opened,
// as <(command) does: then a missing writer is refused after two seconds, and waiting for a slow
// one can be cancelled.
Result<std::string> readTextFile(const std::filesystem::path& file, const CancelToken& cancel = {});
// Reads a whole stream, with the same limit; errors call it `name`.
Result<std::string> readStream(std::istream& stream, const std::string& name);

} // namespace ep
