// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace ep {

struct MappedRegion;

bool isFile(const std::filesystem::path& path); // a regular file, or a link to one

// Distinguishes two states of a file on a disk.
struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t number = 0; // inode
    std::int64_t size = 0;
    std::int64_t written_ns = 0; // time of the last change

    bool operator==(const FileIdentity&) const = default;
};

// A file mapped read-only into memory: reading needs no copy, the system can reclaim its pages, and
// a GPU driver can pin them without copying (it would first copy writable pages). Users of its
// bytes must keep the object alive.
//
// Another program may shorten or rewrite the file at any time. Bytes that no longer exist read as
// zeros, so call unchanged() before using anything computed from the bytes.
class MappedFile {
public:
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& file);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {m_data, m_size}; }
    const std::filesystem::path& path() const { return m_path; } // as given to open()

    // Whether some bytes have been read as zeros because they no longer exist. Costs nothing.
    bool hasGaps() const;
    // An error of one sentence if hasGaps(), or if the file was written to since it was opened. A
    // file that was replaced or deleted counts as unchanged: the mapping keeps the old one.
    Status unchanged() const;

private:
    MappedFile(std::filesystem::path path, const FileIdentity& identity, const std::byte* data,
               std::size_t size);

    std::filesystem::path m_path;
    FileIdentity m_identity;
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
    MappedRegion* m_region = nullptr; // null: the file is empty
};

} // namespace ep
