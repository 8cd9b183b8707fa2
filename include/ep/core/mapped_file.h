// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace ep {

bool isFile(const std::filesystem::path& path); // a regular one, or a link to one

// A whole file in memory, mapped for reading only: that costs no copy, also where a GPU's driver
// pins the pages to fetch them (were they writable, it would first make copies of them), and the
// system can reclaim them. Whoever points into it keeps it alive.
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
