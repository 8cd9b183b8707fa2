// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace ep {

Result<std::string> readTextFile(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        return Error{ErrorCode::InvalidInput, file.string() + " is a folder: give a text file."};
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        return Error{ErrorCode::NotFound,
                     "The file " + file.string() + " cannot be read (" + std::strerror(errno)
                         + "): give a readable file."};
    }
    return readStream(stream, file.string());
}

Result<std::string> readStream(std::istream& stream, const std::string& name)
{
    constexpr std::size_t kChunk = 64 * 1024;
    std::string text;
    while (stream) {
        const std::size_t before = text.size();
        text.resize(before + kChunk);
        stream.read(text.data() + before, kChunk);
        text.resize(before + static_cast<std::size_t>(stream.gcount()));
        if (text.size() > kLongestTextFile) {
            return Error{ErrorCode::InvalidInput,
                         name + " is larger than 64 MB: give a smaller file."};
        }
    }
    if (stream.bad()) {
        return Error{ErrorCode::Io,
                     name + " could not be read to its end; check the disk or give another file."};
    }
    return text;
}

} // namespace ep
