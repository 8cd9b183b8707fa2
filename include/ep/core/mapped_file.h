// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace ep {

bool isFile(const std::filesystem::path& path); // a regular file, or a link to one

// A file mapped read-only into memory: reading needs no copy, the system can reclaim its pages, and
// the driver of a GPU can pin them without copying (it would first copy writable pages). Users of
// its bytes must keep the object alive.
class MappedFile {
public:
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& file);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {m_data, m_size}; }

private:
    MappedFile(const std::byte* data, std::size_t size);

    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
};

} // namespace ep
