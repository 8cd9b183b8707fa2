// SPDX-License-Identifier: GPL-3.0-or-later
#include "temporary_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ep::api {

namespace {

Error noSpace(int error)
{
    return {ErrorCode::Io,
            {"The reply cannot be kept in %1 until it is read (%2): free some space there, or set "
             "TMPDIR.",
             temporaryPlace().string(), std::strerror(error)}};
}

} // namespace

std::filesystem::path temporaryPlace()
{
    const char* chosen = std::getenv("TMPDIR");
    for (const char* place : {chosen, "/var/tmp"}) {
        if (place != nullptr && *place != '\0' && ::access(place, W_OK | X_OK) == 0)
            return place;
    }
    return "/tmp";
}

Result<std::shared_ptr<TemporaryFile>> TemporaryFile::create()
{
    std::string name = (temporaryPlace() / "energy-profiler-XXXXXX").string();
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0)
        return noSpace(errno);
    ::unlink(name.c_str());
    return std::shared_ptr<TemporaryFile>(new TemporaryFile(descriptor, 0));
}

Result<std::shared_ptr<TemporaryFile>> TemporaryFile::adopt(const std::filesystem::path& file)
{
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat facts = {};
    if (descriptor < 0 || ::fstat(descriptor, &facts) != 0)
        return noSpace(errno);
    ::unlink(file.c_str());
    return std::shared_ptr<TemporaryFile>(new TemporaryFile(descriptor, facts.st_size));
}

TemporaryFile::~TemporaryFile()
{
    ::close(m_descriptor);
}

Status TemporaryFile::append(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = ::pwrite(m_descriptor, text.data(), text.size(), m_size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return noSpace(count == 0 ? ENOSPC : errno);
        m_size += count;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

std::string TemporaryFile::read(std::int64_t offset, std::size_t most) const
{
    std::string bytes(most, '\0');
    ssize_t count = 0;
    do {
        count = ::pread(m_descriptor, bytes.data(), most, offset);
    } while (count < 0 && errno == EINTR);
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
}

} // namespace ep::api
