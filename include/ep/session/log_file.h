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

// In the folder of the default database, or the path in EP_LOG: ".../energy-profiler.log".
std::filesystem::path defaultLogPath();

// Timestamped lines of text. When the file reaches its maximum size, it is renamed to FILE.1, that
// one to FILE.2 and so on; the oldest is deleted. Failures to write are ignored, since the log
// must never make anything else fail. Any thread. It must not contain user input or model output.
class LogFile {
public:
    explicit LogFile(std::filesystem::path file, std::int64_t mostBytes = 1'000'000,
                     int olderFiles = 2);

    void write(std::string_view line); // one line; line breaks become spaces
    const std::filesystem::path& file() const { return m_file; }

    // Also redirects Qt's messages here, until the end of the process (or takeOver() of another
    // log).
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

// The last lines of a log and its older files, oldest first.
std::vector<std::string> lastLines(const std::filesystem::path& log, std::size_t count);

} // namespace ep::session
