// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/mapped_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ep {
namespace {

Error failure(const std::filesystem::path& file, const char* doing)
{
    const int code = errno;
    if (code == ENOENT || code == ENOTDIR)
        return {ErrorCode::NotFound, "There is no file " + file.string() + "."};
    return {ErrorCode::Io,
            std::string("Cannot ") + doing + " " + file.string() + " (" + std::strerror(code)
                + ")."};
}

struct Descriptor {
    int fd;
    ~Descriptor() { ::close(fd); }
};

} // namespace

bool isFile(const std::filesystem::path& path)
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

MappedFile::MappedFile(const std::byte* data, std::size_t size)
    : m_data(data)
    , m_size(size)
{
}

MappedFile::~MappedFile()
{
    if (m_size > 0)
        ::munmap(const_cast<std::byte*>(m_data), m_size);
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
        return Error{ErrorCode::InvalidInput, file.string() + " is not a file."};
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size == 0)
        return std::shared_ptr<const MappedFile>(new MappedFile(nullptr, 0));
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return failure(file, "map");
    return std::shared_ptr<const MappedFile>(
        new MappedFile(static_cast<const std::byte*>(data), size));
}

} // namespace ep
