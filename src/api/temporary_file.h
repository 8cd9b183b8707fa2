// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace ep::api {

// Where long replies wait for slow readers without taking memory. The file has no name, so it
// disappears with this object or the process.
class TemporaryFile {
public:
    // For new text, and for the file of an export, whose name is removed.
    static Result<std::shared_ptr<TemporaryFile>> create();
    static Result<std::shared_ptr<TemporaryFile>> adopt(const std::filesystem::path& file);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    Status append(std::string_view text);
    std::int64_t size() const { return m_size; }
    // At most `most` bytes from this offset; empty at the end, or if reading fails.
    std::string read(std::int64_t offset, std::size_t most) const;

private:
    TemporaryFile(int descriptor, std::int64_t size)
        : m_descriptor(descriptor)
        , m_size(size)
    {
    }

    int m_descriptor;
    std::int64_t m_size;
};

// A folder that is on a disk if possible, since /tmp may be memory. $TMPDIR is preferred.
std::filesystem::path temporaryPlace();

} // namespace ep::api
