// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/whole_file.h"

#include "sqlite/file_access.h"

#include "ep/core/uuid.h"

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

struct Descriptor {
    int fd;
    ~Descriptor()
    {
        if (fd >= 0)
            ::close(fd);
    }
};

Status copyTo(int target, const fs::path& from, const std::string& file)
{
    std::ifstream text(from, std::ios::binary);
    std::string piece(1U << 20U, '\0');
    while (text) {
        text.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        auto left = static_cast<std::size_t>(text.gcount());
        for (const char* at = piece.data(); left > 0;) {
            const ssize_t written = ::write(target, at, left);
            if (written < 0 && errno == EINTR)
                continue;
            if (written <= 0)
                return cannotWrite(file, systemMessage(errno));
            at += written;
            left -= static_cast<std::size_t>(written);
        }
    }
    return text.bad() ? Status(cannotWrite(file, systemMessage(EIO))) : Status();
}

} // namespace

Error cannotWrite(const std::string& file, const std::string& why)
{
    return {ErrorCode::Io,
            {"Cannot write %1 (%2); choose another place or free some space.", file, why}};
}

Draft::Draft(const std::string& file)
    : m_file(file)
    , m_draft(file + "." + makeUuid().substr(0, 8) + ".part")
{
}

Draft::~Draft()
{
    std::error_code ignored;
    fs::remove_all(m_draft, ignored);
}

Status Draft::take()
{
    std::error_code failed;
    fs::rename(m_draft, m_file, failed);
    return failed ? Status(cannotWrite(m_file, failed.message())) : Status();
}

Status writeWhole(const std::string& file, const WriteText& write)
{
    std::error_code ignored;
    if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) {
        std::ofstream stream(file, std::ios::binary);
        if (const Status written = write(stream); !written)
            return written;
        stream.close();
        return stream ? Status() : Status(cannotWrite(file, systemMessage(errno)));
    }
    Draft draft(file);
    errno = 0;
    std::ofstream stream(draft.path(), std::ios::binary | std::ios::trunc);
    if (stream) {
        if (const Status written = write(stream); !written)
            return written;
    }
    stream.close();
    if (!stream)
        return cannotWrite(file, systemMessage(errno != 0 ? errno : EIO));
    return draft.take();
}

Status appendWhole(const std::string& file, const std::function<Status(std::istream&)>& check,
                   const std::function<Status(std::ostream&, bool isNew)>& write)
{
    const Descriptor target{
        ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0600)};
    struct stat before = {};
    if (target.fd < 0 || ::flock(target.fd, LOCK_EX) != 0 || ::fstat(target.fd, &before) != 0)
        return cannotWrite(file, systemMessage(errno));
    if (!S_ISREG(before.st_mode))
        return cannotWrite(file, "it is not a file");
    if (before.st_size > 0) {
        std::ifstream known(file, std::ios::binary);
        if (const Status fits = check(known); !fits)
            return fits;
    }
    const Draft draft(file);
    std::ofstream text(draft.path(), std::ios::binary | std::ios::trunc);
    if (const Status written = write(text, before.st_size == 0); !written)
        return written;
    text.close();
    if (!text)
        return cannotWrite(file, systemMessage(errno != 0 ? errno : EIO));
    const Status copied = copyTo(target.fd, draft.path(), file);
    if (!copied)
        static_cast<void>(!::ftruncate(target.fd, before.st_size));
    return copied;
}

} // namespace ep::store
