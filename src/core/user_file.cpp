// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/user_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <ios>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace ep {

namespace {

Error cannotRead(const std::string& name, int problem)
{
    return {
        problem == ENOENT || problem == ENOTDIR ? ErrorCode::NotFound : ErrorCode::Io,
        {"The file %1 cannot be read (%2): give a readable file.", name, std::strerror(problem)}};
}

Status checkKind(const struct stat& facts, const std::string& name)
{
    if (S_ISDIR(facts.st_mode))
        return Error{ErrorCode::InvalidInput, {"%1 is a folder: give a file in it.", name}};
    if (!S_ISREG(facts.st_mode))
        return Error{ErrorCode::InvalidInput,
                     {"%1 is a pipe or a device: give an ordinary file.", name}};
    return {};
}

} // namespace

Status checkOrdinary(const std::filesystem::path& file)
{
    struct stat facts = {};
    return ::stat(file.c_str(), &facts) == 0 ? checkKind(facts, file.string()) : Status();
}

UserFile::UserFile(int descriptor, std::int64_t size, std::string name)
    : m_descriptor(descriptor)
    , m_size(size)
    , m_name(std::move(name))
{
}

UserFile::UserFile(UserFile&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_size(other.m_size)
    , m_name(std::move(other.m_name))
{
}

UserFile::~UserFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Result<UserFile> UserFile::open(const std::filesystem::path& file)
{
    if (const Status ordinary = checkOrdinary(file); !ordinary)
        return ordinary.error();
    // Another program may put a pipe there meanwhile: opening it must not wait either.
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return cannotRead(file.string(), errno);
    struct stat facts = {};
    const bool known = ::fstat(descriptor, &facts) == 0;
    UserFile opened(descriptor, known ? facts.st_size : 0, file.string());
    if (!known)
        return cannotRead(file.string(), errno);
    if (const Status ordinary = checkKind(facts, file.string()); !ordinary)
        return ordinary.error();
    return opened;
}

Result<std::size_t> UserFile::read(std::span<char> buffer)
{
    ssize_t got = 0;
    do {
        got = ::read(m_descriptor, buffer.data(), buffer.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return cannotRead(m_name, errno);
    return static_cast<std::size_t>(got);
}

int UserFile::takeDescriptor()
{
    return std::exchange(m_descriptor, -1);
}

UserFileStream::UserFileStream(UserFile file)
    : std::istream(nullptr)
    , m_buffer(std::move(file))
{
    rdbuf(&m_buffer);
}

UserFileStream::Buffer::int_type UserFileStream::Buffer::underflow()
{
    const auto got = m_file.read(m_bytes);
    if (!got)
        throw std::ios_base::failure("the file cannot be read"); // the stream sets badbit
    if (*got == 0)
        return traits_type::eof();
    setg(m_bytes.data(), m_bytes.data(), m_bytes.data() + *got);
    return traits_type::to_int_type(m_bytes.front());
}

} // namespace ep
