// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/mapped_file.h"

#include "mapped_region.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ep {
namespace {

Error failure(const std::filesystem::path& file, const char* doing)
{
    const int code = errno;
    if (code == ENOENT || code == ENOTDIR)
        return {ErrorCode::NotFound, {"There is no file %1.", file.string()}};
    return {ErrorCode::Io, {"Cannot %1 %2 (%3).", doing, file.string(), std::strerror(code)}};
}

struct Descriptor {
    int fd;
    ~Descriptor() { ::close(fd); }
};

FileIdentity identityOf(const struct stat& info)
{
#ifdef __APPLE__
    const timespec& written = info.st_mtimespec;
#else
    const timespec& written = info.st_mtim;
#endif
    return {.device = static_cast<std::uint64_t>(info.st_dev),
            .number = static_cast<std::uint64_t>(info.st_ino),
            .size = static_cast<std::int64_t>(info.st_size),
            .written_ns =
                static_cast<std::int64_t>(written.tv_sec) * 1'000'000'000 + written.tv_nsec};
}

} // namespace

bool isFile(const std::filesystem::path& path)
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

MappedFile::MappedFile(std::filesystem::path path, const FileIdentity& identity,
                       const std::byte* data, std::size_t size)
    : m_path(std::move(path))
    , m_identity(identity)
    , m_data(data)
    , m_size(size)
    , m_region(size > 0 ? watchRegion(data, size) : nullptr)
{
}

MappedFile::~MappedFile()
{
    if (m_region == nullptr)
        return;
    unwatchRegion(m_region);
    ::munmap(const_cast<std::byte*>(m_data), m_size);
}

bool MappedFile::hasGaps() const
{
    return m_region != nullptr && ep::hasGaps(*m_region);
}

Status MappedFile::unchanged() const
{
    struct stat info = {};
    const bool there = ::stat(m_path.c_str(), &info) == 0;
    const FileIdentity now = there ? identityOf(info) : FileIdentity();
    const bool same = there && now.device == m_identity.device && now.number == m_identity.number;
    if (same && now != m_identity) {
        return Error{ErrorCode::Io,
                     {"The file %1 changed while it was read: wait until its download or copy is "
                      "complete, then try again.",
                      m_path.string()}};
    }
    if (hasGaps()) {
        return Error{ErrorCode::Io,
                     {"A part of the file %1 can no longer be read: check its disk or network "
                      "connection, then try again.",
                      m_path.string()}};
    }
    return {};
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& file)
{
    // A pipe without a writer would block the thread forever.
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return failure(file, "open");
    const Descriptor descriptor{fd};
    struct stat info = {};
    if (::fstat(fd, &info) != 0)
        return failure(file, "examine");
    if (!S_ISREG(info.st_mode))
        return Error{ErrorCode::InvalidInput, {"%1 is not a file.", file.string()}};
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size == 0)
        return std::shared_ptr<const MappedFile>(
            new MappedFile(file, identityOf(info), nullptr, 0));
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return failure(file, "map");
    return std::shared_ptr<const MappedFile>(
        new MappedFile(file, identityOf(info), static_cast<const std::byte*>(data), size));
}

} // namespace ep
