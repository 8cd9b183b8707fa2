// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorded/socket_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ep::session {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPattern = "ep-XXXXXX";
constexpr const char* kLock = "lock";

bool isAbandoned(const fs::path& folder)
{
    struct stat facts = {};
    if (::lstat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)
        || facts.st_uid != ::geteuid() || (facts.st_mode & 0777U) != 0700U)
        return false;
    const int lock = ::open((folder / kLock).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (lock < 0) // not by this program, or it is just being made
        return false;
    const bool free = ::flock(lock, LOCK_EX | LOCK_NB) == 0;
    ::close(lock);
    return free;
}

void removeAbandoned(const fs::path& parent)
{
    std::error_code failed;
    for (fs::directory_iterator at(parent, failed), end; !failed && at != end;
         at.increment(failed)) {
        const std::string name = at->path().filename().string();
        std::error_code ignored;
        if (name.starts_with("ep-") && name.size() == std::strlen(kPattern)
            && isAbandoned(at->path()))
            fs::remove_all(at->path(), ignored);
    }
}

} // namespace

Result<SocketFolder> makeSocketFolder()
{
    std::error_code failed;
    const fs::path parent = fs::temp_directory_path(failed);
    const auto cannot = [](const std::string& what, int problem) {
        return Error{ErrorCode::Io,
                     {"The socket for the spans of the command cannot be made: %1: %2.", what,
                      std::strerror(problem)}};
    };
    if (failed)
        return cannot("TMPDIR", failed.value());
    removeAbandoned(parent);
    std::string name = (parent / kPattern).string();
    if (::mkdtemp(name.data()) == nullptr) // 0700
        return cannot(name, errno);
    SocketFolder folder{.path = name};
    // The lock gets its name once it is held, so that nobody finds it free.
    const fs::path draft = folder.path / "new";
    folder.lock = ::open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (folder.lock < 0 || ::flock(folder.lock, LOCK_EX) != 0
        || ::rename(draft.c_str(), (folder.path / kLock).c_str()) != 0) {
        const int problem = errno;
        fs::remove_all(folder.path, failed);
        if (folder.lock >= 0)
            ::close(folder.lock);
        return cannot(name, problem);
    }
    return folder;
}

} // namespace ep::session
