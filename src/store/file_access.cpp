// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_access.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

fs::path folderOf(const fs::path& file)
{
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

} // namespace

std::string systemMessage(int errorNumber)
{
    return std::error_code(errorNumber, std::generic_category()).message();
}

Result<bool> createPrivateFile(const fs::path& file)
{
    std::error_code failed;
    fs::create_directories(folderOf(file), failed);
    if (failed && !fs::is_directory(folderOf(file))) {
        return Error{ErrorCode::Io,
                     "Cannot make the folder " + folderOf(file).string() + ": " + failed.message()
                         + "; choose another file with --db."};
    }
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        if (errno == EEXIST)
            return false;
        return Error{ErrorCode::Io,
                     "Cannot make the file " + file.string() + ": " + systemMessage(errno)
                         + "; make its folder writable, or choose another file with --db."};
    }
    // The creation mask may have taken away even the owner's rights.
    ::fchmod(descriptor, 0600);
    ::close(descriptor);
    return true;
}

Status checkLooksLikeDatabase(const fs::path& file)
{
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    std::error_code failed;
    if (!fs::is_regular_file(file, failed)) {
        return Error{ErrorCode::InvalidInput,
                     file.string() + " is not a file; name a database file with --db."};
    }
    std::array<char, kMagic.size()> head{};
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        return Error{ErrorCode::Io,
                     "Cannot read " + file.string() + ": " + systemMessage(errno)
                         + "; make it readable for you, or choose another file with --db."};
    }
    stream.read(head.data(), head.size());
    const auto count = static_cast<std::size_t>(stream.gcount());
    if (count > 0 && std::string_view(head.data(), count) != kMagic) {
        return Error{ErrorCode::InvalidInput,
                     file.string()
                         + " is not a run database (it does not begin like an SQLite file) and was "
                           "left as it is; choose another file with --db."};
    }
    return {};
}

Status checkWritable(const fs::path& file)
{
    for (const fs::path& place : {file, folderOf(file)}) {
        // The effective user decides, as it will when SQLite opens the file.
        if (::faccessat(AT_FDCWD, place.c_str(), W_OK, AT_EACCESS) != 0) {
            return Error{ErrorCode::Io,
                         "Cannot write to the run database " + file.string() + " (" + place.string()
                             + ": " + systemMessage(errno)
                             + "); make the file and its folder writable, or choose another file "
                               "with --db."};
        }
    }
    return {};
}

} // namespace ep::store
