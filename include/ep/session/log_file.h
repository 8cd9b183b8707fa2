// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace ep::session {

// Beside the default database, or where EP_LOG says: ".../energy-profiler.log".
std::filesystem::path defaultLogPath();

// Lines of text with their time. When the file has reached its size it is renamed to FILE.1, that
// to FILE.2 and so on; the oldest is deleted. A log that cannot be written is left out in silence:
// it must never be the reason why something else fails. Any thread. Nothing that a person typed or
// a model said belongs in here.
class LogFile {
public:
    explicit LogFile(std::filesystem::path file, std::int64_t mostBytes = 1'000'000,
                     int olderFiles = 2);

    void write(std::string_view line); // one line; breaks inside it become spaces
    const std::filesystem::path& file() const { return m_file; }

    // Qt's own messages go here as well, until the end of the process (or takeOver() of another).
    void takeOverQtMessages();
    ~LogFile();
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;

private:
    void rotate();

    const std::filesystem::path m_file;
    const std::int64_t m_mostBytes;
    const int m_olderFiles;
    std::mutex m_mutex; // guards the files
};

// The last lines of a log and of its older files, oldest first.
std::vector<std::string> lastLines(const std::filesystem::path& log, std::size_t count);

} // namespace ep::session
