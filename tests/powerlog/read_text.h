// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/powerlog/read.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

namespace ep::powerlog {

// Reads a power log from memory as the program reads one from a file.
inline Result<Recording> readText(const std::string& text, const ReadOptions& options = {})
{
    const OpenLog open = [&]() -> Result<ReadBytes> {
        return ReadBytes(
            [&text, at = std::size_t{0}](std::span<char> buffer) mutable -> Result<std::size_t> {
                const std::size_t count = std::min(buffer.size(), text.size() - at);
                std::memcpy(buffer.data(), text.data() + at, count);
                at += count;
                return count;
            });
    };
    return readRecording(open, "log", options);
}

} // namespace ep::powerlog
