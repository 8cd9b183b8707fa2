// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/user_file.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <ios>
#include <poll.h>
#include <sys/stat.h>
#include <thread>
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

namespace {

constexpr std::size_t kChunk = 64 * 1024;

Error tooLarge(const std::string& name)
{
    return {ErrorCode::InvalidInput, {"%1 is larger than 64 MB: give a smaller file.", name}};
}

Error notToItsEnd(const std::string& name)
{
    return {ErrorCode::Io,
            {"%1 could not be read to its end; check the disk or give another file.", name}};
}

// Opening a pipe without a writer would block, and so would reading from one that writes nothing.
Result<std::string> readPipe(const std::filesystem::path& file, const CancelToken& cancel)
{
    constexpr int kPollMs = 50;
    constexpr int kPatienceMs = 2000; // how long to wait for a writer
    struct Descriptor {
        int fd;
        ~Descriptor() { ::close(fd); }
    };
    const Descriptor pipe{::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    std::string text;
    std::array<char, kChunk> chunk{};
    for (int waited = 0; !cancel.cancelled();) {
        const ssize_t count = pipe.fd < 0 ? -1 : ::read(pipe.fd, chunk.data(), chunk.size());
        if (count > 0) {
            text.append(chunk.data(), static_cast<std::size_t>(count));
            if (text.size() > kLongestTextFile)
                return tooLarge(file.string());
        } else if (count == 0 && !text.empty()) {
            return text;
        } else if (count == 0) {
            if (waited >= kPatienceMs) {
                return Error{ErrorCode::InvalidInput,
                             {"%1 is a pipe to which no program writes: start that program first, "
                              "or give a file.",
                              file.string()}};
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(kPollMs));
            waited += kPollMs;
        } else if (errno == EAGAIN || errno == EINTR) {
            pollfd ready{.fd = pipe.fd, .events = POLLIN, .revents = 0};
            ::poll(&ready, 1, kPollMs);
        } else {
            return notToItsEnd(file.string());
        }
    }
    return Error{ErrorCode::Cancelled, {"Reading %1 was cancelled.", file.string()}};
}

// A shell's <(command): the pipe is open already, and its writer runs.
bool isOpenDescriptor(const std::filesystem::path& file)
{
    const std::string path = file.string();
    return path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/")
        || path == "/dev/stdin";
}

} // namespace

Result<std::string> readTextFile(const std::filesystem::path& file, const CancelToken& cancel)
{
    std::error_code ignored;
    if (isOpenDescriptor(file) && std::filesystem::is_fifo(file, ignored))
        return readPipe(file, cancel);
    auto opened = UserFile::open(file);
    if (!opened)
        return opened.error();
    UserFileStream stream(*std::move(opened));
    return readStream(stream, file.string());
}

Result<std::string> readStream(std::istream& stream, const std::string& name)
{
    std::string text;
    while (stream) {
        const std::size_t before = text.size();
        text.resize(before + kChunk);
        stream.read(text.data() + before, kChunk);
        text.resize(before + static_cast<std::size_t>(stream.gcount()));
        if (text.size() > kLongestTextFile)
            return tooLarge(name);
    }
    if (stream.bad())
        return notToItsEnd(name);
    return text;
}

} // namespace ep
