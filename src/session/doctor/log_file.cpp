// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/log_file.h"

#include "ep/core/clock.h"
#include "ep/core/safe_text.h"
#include "ep/store/store.h"

#include <QString>
#include <QtGlobal>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <system_error>
#include <utility>

namespace ep::session {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxOlderFiles = 9;

fs::path numbered(const fs::path& file, int number)
{
    return number == 0 ? file : fs::path(file.string() + "." + std::to_string(number));
}

// Destination of Qt's messages; global, because Qt's handler is a plain function.
std::atomic<LogFile*> currentLog = nullptr;
std::atomic<QtMessageHandler> earlierHandler = nullptr;

void handleMessage(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (LogFile* log = currentLog.load(); log != nullptr && type != QtDebugMsg) {
        const char* kind = type == QtInfoMsg ? "info"
            : type == QtWarningMsg           ? "warning"
            : type == QtCriticalMsg          ? "error"
                                             : "fatal";
        log->write(std::string(kind) + ": " + text.toStdString());
    }
    if (const QtMessageHandler earlier = earlierHandler.load())
        earlier(type, context, text);
}

} // namespace

fs::path defaultLogPath()
{
    if (const char* chosen = std::getenv("EP_LOG"); chosen != nullptr && *chosen != '\0')
        return chosen;
    return store::defaultDatabasePath().parent_path() / "energy-profiler.log";
}

LogFile::LogFile(fs::path file, std::int64_t mostBytes, int olderFiles)
    : m_file(std::move(file))
    , m_mostBytes(mostBytes)
    , m_olderFiles(std::clamp(olderFiles, 0, kMaxOlderFiles))
{
}

LogFile::~LogFile()
{
    LogFile* self = this;
    if (currentLog.compare_exchange_strong(self, nullptr))
        qInstallMessageHandler(earlierHandler.exchange(nullptr));
}

void LogFile::takeOverQtMessages()
{
    if (currentLog.exchange(this) == nullptr)
        earlierHandler = qInstallMessageHandler(handleMessage);
}

void LogFile::write(std::string_view line)
{
    std::string text = isoTimestamp(wallClockMs()) + ' ';
    text += terminalText(line);
    std::replace(text.begin(), text.end(), '\n', ' ');
    text += '\n';
    const std::lock_guard lock(m_mutex);
    std::error_code ignored;
    fs::create_directories(m_file.parent_path(), ignored);
    const auto size = fs::file_size(m_file, ignored);
    if (!ignored && static_cast<std::int64_t>(size + text.size()) > m_mostBytes)
        rotate();
    std::ofstream(m_file, std::ios::app | std::ios::binary) << text;
}

void LogFile::rotate()
{
    std::error_code ignored;
    if (m_olderFiles == 0)
        fs::remove(m_file, ignored);
    for (int number = m_olderFiles; number > 0; --number)
        fs::rename(numbered(m_file, number - 1), numbered(m_file, number), ignored);
}

std::vector<std::string> lastLines(const fs::path& log, std::size_t count)
{
    std::deque<std::string> lines;
    for (int number = kMaxOlderFiles; number >= 0; --number) {
        std::ifstream file(numbered(log, number));
        for (std::string line; std::getline(file, line);) {
            lines.push_back(std::move(line));
            if (lines.size() > count)
                lines.pop_front();
        }
    }
    return {lines.begin(), lines.end()};
}

} // namespace ep::session
