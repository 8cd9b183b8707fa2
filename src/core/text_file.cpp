// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/text_file.h"

#include "ep/core/user_file.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace ep {

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
