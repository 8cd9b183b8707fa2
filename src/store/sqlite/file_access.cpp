// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/file_access.h"

#include "ep/store/store_files.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

// Uses the effective user, as SQLite does when it opens the file.
bool allows(const fs::path& place, int right)
{
    return ::faccessat(AT_FDCWD, place.c_str(), right, AT_EACCESS) == 0;
}

} // namespace

fs::path folderOf(const fs::path& file)
{
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

std::string systemMessage(int errorNumber)
{
    return std::error_code(errorNumber, std::generic_category()).message();
}

Result<bool> createPrivateFile(const fs::path& file)
{
    std::error_code failed;
    fs::create_directories(folderOf(file), failed);
    if (std::error_code ignored; failed && !fs::is_directory(folderOf(file), ignored)) {
        return Error{ErrorCode::Io,
                     {"Cannot create the folder %1: %2; choose another file with --db.",
                      folderOf(file).string(), failed.message()}};
    }
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        if (errno == EEXIST)
            return false;
        return Error{ErrorCode::Io,
                     {"Cannot create the file %1: %2; make its folder writable, or choose another "
                      "file with --db.",
                      file.string(), systemMessage(errno)}};
    }
    // The umask may have removed even the owner's rights.
    ::fchmod(descriptor, 0600);
    ::close(descriptor);
    return true;
}

bool mayExist(const fs::path& database)
{
    std::error_code ignored;
    return fs::status(database, ignored).type() != fs::file_type::not_found;
}

bool isEmptyFile(const fs::path& database)
{
    const auto holdsNothing = [](const fs::path& file) {
        std::error_code failed;
        const std::uintmax_t size = fs::file_size(file, failed);
        return failed || size == 0;
    };
    const auto untouched = [&] {
        std::error_code failed;
        return fs::is_regular_file(database, failed) && holdsNothing(database)
            && holdsNothing(database.string() + "-wal")
            && !fs::exists(database.string() + "-journal", failed);
    };
    // Another program may be about to write the first page.
    constexpr int kLooks = 10;
    constexpr std::chrono::milliseconds kBetween{30};
    for (int i = 0; untouched(); ++i) {
        if (i == kLooks)
            return true;
        std::this_thread::sleep_for(kBetween);
    }
    return false;
}

Status checkReadable(const fs::path& file)
{
    std::error_code failed;
    const bool isFile = fs::is_regular_file(file, failed);
    if (failed) {
        return Error{ErrorCode::Io,
                     {"Cannot read %1: %2; make it readable, or choose another file with --db.",
                      file.string(), failed.message()}};
    }
    if (!isFile) {
        return Error{ErrorCode::InvalidInput,
                     {"%1 is not a file; name a database file with --db.", file.string()}};
    }
    if (!allows(file, R_OK)) {
        return Error{ErrorCode::Io,
                     {"Cannot read %1: %2; make it readable, or choose another file with --db.",
                      file.string(), systemMessage(errno)}};
    }
    const std::uintmax_t size = fs::file_size(file, failed);
    if (!failed && size > 0 && size < kLeastDatabase)
        return notADatabase(file);
    return {};
}

Status checkWritable(const fs::path& file)
{
    for (const fs::path& place : {file, folderOf(file)}) {
        if (!allows(place, W_OK)) {
            return Error{ErrorCode::Io,
                         {"Cannot write to the run database %1 (%2: %3); make the file and its "
                          "folder writable, or choose another file with --db.",
                          file.string(), place.string(), systemMessage(errno)}};
        }
    }
    return {};
}

void reserveForLog(const fs::path& log)
{
    constexpr off_t kReserved = 1'048'576; // enough for the pages that a deletion changes
    const int descriptor = ::open(log.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
#ifdef __APPLE__
    fstore_t room = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, kReserved, 0};
    ::fcntl(descriptor, F_PREALLOCATE, &room);
#else
    ::fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, kReserved); // fails on some file systems
#endif
    ::close(descriptor); // harmless, since no lock is ever taken on a log
}

Error notADatabase(const fs::path& file)
{
    return {ErrorCode::InvalidInput,
            {"%1 is not a run database (it is not an SQLite file) and was not changed; choose "
             "another file with --db.",
             file.string()}};
}

} // namespace ep::store
