// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <span>
#include <streambuf>
#include <string>

namespace ep {

// Checks that opening and reading the file cannot block forever. OK for an ordinary file, a link to
// one, and a path at which there is nothing. The error is one sentence.
Status checkOrdinary(const std::filesystem::path& file);

// A file that a user names, open for reading. The only way to open one: a folder, a pipe, a socket
// or a device is refused before it is opened, because that might wait or never end.
class UserFile {
public:
    static Result<UserFile> open(const std::filesystem::path& file);
    UserFile(UserFile&& other) noexcept;
    UserFile& operator=(UserFile&&) = delete;
    ~UserFile();

    std::int64_t size() const { return m_size; } // when it was opened
    // Returns how many bytes were read; 0: the end.
    Result<std::size_t> read(std::span<char> buffer);
    int takeDescriptor(); // the caller closes it

private:
    UserFile(int descriptor, std::int64_t size, std::string name);

    int m_descriptor;
    std::int64_t m_size;
    std::string m_name;
};

// Reads a UserFile as a stream; a failure to read sets badbit.
class UserFileStream final : public std::istream {
public:
    explicit UserFileStream(UserFile file);

private:
    class Buffer final : public std::streambuf {
    public:
        explicit Buffer(UserFile file)
            : m_file(std::move(file))
        {
        }

    protected:
        int_type underflow() override;

    private:
        static constexpr std::size_t kBytes = 64 * 1024;
        UserFile m_file;
        std::array<char, kBytes> m_bytes{};
    };

    Buffer m_buffer;
};

// Anything larger is not a text that a user wrote, but an endless device or the wrong file.
inline constexpr std::size_t kLongestTextFile = 64 * 1024 * 1024;

// The whole text of a file, up to kLongestTextFile bytes, or of a pipe that the shell has opened,
// as <(command) does: then a missing writer is refused after two seconds, and waiting for a slow
// one can be cancelled.
Result<std::string> readTextFile(const std::filesystem::path& file, const CancelToken& cancel = {});
// Reads a whole stream, with the same limit; errors call it `name`.
Result<std::string> readStream(std::istream& stream, const std::string& name);

} // namespace ep
