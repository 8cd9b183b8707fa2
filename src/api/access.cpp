// SPDX-License-Identifier: GPL-3.0-or-later
#include "access.h"

#include "handshake.h"

#include <QRandomGenerator>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ep::api {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kLongestToken = 256;
constexpr std::string_view kBearer = "Bearer ";

Error fileError(const fs::path& file, const Message& what)
{
    return {ErrorCode::Io,
            {"The token file %1 %2; give another one with --token-file, or fix this one.",
             file.string(), what}};
}

std::string newToken()
{
    std::array<std::uint32_t, kTokenBytes / sizeof(std::uint32_t)> numbers{};
    QRandomGenerator::system()->generate(numbers.begin(), numbers.end());
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string token;
    for (std::uint32_t number : numbers) {
        for (int digit = 0; digit < 8; ++digit) {
            token += kDigits[number & 0xFU];
            number >>= 4U;
        }
    }
    return token;
}

Result<std::string> readToken(const fs::path& file, int descriptor)
{
    struct stat facts = {};
    if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode))
        return fileError(file, "is not a regular file");
    if ((facts.st_mode & 077U) != 0U || facts.st_uid != ::geteuid())
        return fileError(file, "can be read by others (use chmod 600)");
    std::array<char, kLongestToken> bytes{};
    const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
    std::string token(bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    while (!token.empty() && (token.back() == '\n' || token.back() == '\r'))
        token.pop_back();
    if (token.size() < kTokenBytes || token.find_first_of(" \t\r\n") != std::string::npos)
        return fileError(file, "contains no token of at least 32 characters");
    return token;
}

// Constant time for texts of equal length.
bool sameText(std::string_view a, std::string_view b)
{
    if (a.size() != b.size())
        return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

// The token that a request presents; empty if there is none.
std::string tokenOf(const HttpRequest& request)
{
    const auto given = request.header("authorization");
    if (given && given->starts_with(kBearer))
        return given->substr(kBearer.size());
    if (given || !request.asksUpgrade())
        return {};
    for (const std::string& protocol : offeredProtocols(request)) {
        if (protocol.starts_with(kTokenProtocol))
            return protocol.substr(kTokenProtocol.size());
    }
    return {};
}

bool isOwnHost(std::string_view host, std::uint16_t port)
{
    const std::string suffix = ':' + std::to_string(port);
    for (const std::string_view name : {"127.0.0.1", "localhost", "[::1]"}) {
        if (host == std::string(name) + suffix)
            return true;
    }
    return false;
}

// NotFound: there is no such file. O_NONBLOCK avoids waiting at a FIFO that has no writer.
Result<std::string> readTokenFile(const fs::path& file)
{
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) {
        const int code = errno;
        Error error = fileError(file, std::string("cannot be read (") + std::strerror(code) + ")");
        error.code = code == ENOENT ? ErrorCode::NotFound : ErrorCode::Io;
        return error;
    }
    auto token = readToken(file, descriptor);
    ::close(descriptor);
    return token;
}

// Writes the token under another name first, so that nobody ever sees an empty file under this
// name. A file that already exists stays as it is.
Status makeTokenFile(const fs::path& file, const std::string& token)
{
    const fs::path draft = file.string() + "." + newToken().substr(0, 16) + ".new";
    const int descriptor =
        ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0)
        return fileError(file, std::string("cannot be created (") + std::strerror(errno) + ")");
    ::fchmod(descriptor, 0600);
    const std::string line = token + '\n';
    bool written =
        ::write(descriptor, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    written = ::close(descriptor) == 0 && written;
    int error = written && ::link(draft.c_str(), file.c_str()) != 0 ? errno : 0;
    if (error == EPERM || error == ENOTSUP) // the file system has no hard links
        error = ::rename(draft.c_str(), file.c_str()) != 0 ? errno : 0;
    ::unlink(draft.c_str());
    if (written && (error == 0 || error == EEXIST))
        return {};
    return fileError(file, std::string("cannot be written (") + std::strerror(error) + ")");
}

} // namespace

Result<std::string> readOrMakeToken(const fs::path& file)
{
    std::error_code failed;
    if (file.has_parent_path())
        fs::create_directories(file.parent_path(), failed);
    auto token = readTokenFile(file);
    if (token || token.error().code != ErrorCode::NotFound)
        return token;
    if (const Status made = makeTokenFile(file, newToken()); !made)
        return made.error();
    return readTokenFile(file); // perhaps made by another server that started just now
}

bool hasToken(const HttpRequest& request, const std::string& token)
{
    return sameText(tokenOf(request), token);
}

HttpRefusal checkOrigin(const HttpRequest& request, std::uint16_t port)
{
    if (!isOwnHost(request.header("host").value_or(std::string()), port)) {
        return {403,
                "The Host header must be 127.0.0.1:" + std::to_string(port)
                    + " or localhost:" + std::to_string(port) + "."};
    }
    if (const auto origin = request.header("origin")) {
        constexpr std::string_view kHttp = "http://";
        const std::string_view text(*origin);
        if (!text.starts_with(kHttp) || !isOwnHost(text.substr(kHttp.size()), port))
            return {403, "Pages from other origins may not use this API."};
    }
    return {};
}

} // namespace ep::api
