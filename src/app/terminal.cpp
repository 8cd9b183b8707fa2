// SPDX-License-Identifier: GPL-3.0-or-later
#include "terminal.h"

#include "exit_status.h"

#include "ep/core/format.h"
#include "ep/core/safe_text.h"
#include "ep/core/user_file.h"
#include "ep/core/utf8.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <streambuf>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ep::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kClearLine = "\r\033[K";

std::string withoutLineBreaks(std::string_view text)
{
    std::string line;
    for (const char c : terminalText(text))
        line += c == '\n' || c == '\t' ? ' ' : c;
    return line;
}

bool readerLeft = false; // whether the reader of standard output is gone

void put(std::string_view text)
{
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() && errno == EPIPE)
        readerLeft = true;
}

// Standard output as printJson() writes it.
class JsonOutput : public std::streambuf {
protected:
    std::streamsize xsputn(const char* text, std::streamsize size) override
    {
        printJson({text, static_cast<std::size_t>(size)});
        return std::ferror(stdout) == 0 ? size : 0;
    }
    int_type overflow(int_type character) override
    {
        const char byte = traits_type::to_char_type(character);
        return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
    }
};

Error writeError(const fs::path& file, int number)
{
    return {ErrorCode::Io,
            {"Writing %1 failed (%2): choose another file or free some space.", file.string(),
             std::strerror(number)}};
}

// Opening a pipe without a reader would wait; a device such as /dev/null takes the text.
Status checkTarget(const fs::path& file)
{
    std::error_code ignored;
    return fs::is_character_file(file, ignored) ? Status() : checkOrdinary(file);
}

std::size_t usedWidth()
{
    constexpr int kUsualWidth = 80;
    constexpr int kNarrowest = 20;
    const int limit = outputWidth();
    return static_cast<std::size_t>(limit > 0 ? std::max(limit, kNarrowest) : kUsualWidth);
}

} // namespace

void printError(const Message& message)
{
    if (::isatty(STDERR_FILENO) == 1)
        std::fputs(kClearLine, stderr);
    std::fprintf(stderr, "energy-profiler: %s\n", withoutLineBreaks(message.english()).c_str());
}

int fail(const Error& error)
{
    printError(error.message);
    return exitStatusOf(error);
}

void print(std::string_view text)
{
    put(terminalText(text));
}

void printJson(std::string_view json)
{
    put(terminalJson(json));
}

int outputWidth()
{
    if (const char* columns = std::getenv("COLUMNS"); columns != nullptr) {
        int width = 0;
        const char* end = columns + std::strlen(columns);
        if (std::from_chars(columns, end, width).ptr == end && width > 0)
            return width;
    }
    winsize size = {};
    if (::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        return size.ws_col;
    return 0;
}

std::string counted(std::int64_t count, std::string_view one)
{
    return std::to_string(count) + ' ' + std::string(one) + (count == 1 ? "" : "s");
}

std::string wrapped(std::string_view text, std::size_t indent)
{
    constexpr std::size_t kNarrowest = 20;
    const std::size_t width = std::max(usedWidth(), indent + kNarrowest) - indent;
    std::istringstream words{std::string(text)};
    std::string lines;
    std::size_t length = 0;
    for (std::string word; words >> word;) {
        const std::size_t size = codePointCount(word);
        if (length > 0 && length + 1 + size > width) {
            lines += '\n' + std::string(indent, ' ');
            length = 0;
        }
        lines += (length > 0 ? " " : "") + word;
        length += size + (length > 0 ? 1 : 0);
    }
    return lines;
}

std::string titledLine(std::string_view title, std::string_view value)
{
    constexpr std::size_t kTitle = 9;
    std::string line(title);
    line.resize(std::max(kTitle, title.size() + 1), ' ');
    return line + wrapped(value, line.size()) + '\n';
}

std::string wrappedLines(std::string_view text)
{
    std::string lines;
    std::istringstream stream{std::string(text)};
    for (std::string line; std::getline(stream, line);) {
        if (codePointCount(line) <= usedWidth()) {
            lines += line + '\n';
            continue;
        }
        // Blanks, the mark or number of a list, and a title with two blanks behind it.
        std::size_t start = std::min(line.find_first_not_of(' '), line.size());
        const std::size_t word = std::min(line.find(' ', start), line.size());
        if (word == start + 1 || (word > start && line[word - 1] == '.' && word - start <= 3)
            || line.compare(word, 2, "  ") == 0)
            start = std::min(line.find_first_not_of(' ', word), line.size());
        lines += line.substr(0, start) + wrapped(line.substr(start), start) + '\n';
    }
    return lines;
}

bool outputIsClosed()
{
    errno = 0;
    const bool closed = std::fflush(stdout) != 0 && errno == EPIPE;
    readerLeft = readerLeft || closed;
    return closed;
}

Status flushOutput()
{
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return {};
    readerLeft = readerLeft || errno == EPIPE; // also for the flush at the end
    if (readerLeft) // as after `| head`: the reader has what it wanted
        return {};
    return Error{ErrorCode::Io, "Writing to standard output failed: the output is incomplete."};
}

Result<std::string> readText(const fs::path& file)
{
    return file == "-" ? readStream(std::cin, "Standard input") : readTextFile(file);
}

Status writeText(const fs::path& file, std::string_view text)
{
    return writeStream(file, [&](std::ostream& stream) -> Status {
        stream << text;
        return {};
    });
}

Status writeStream(const fs::path& file, const std::function<Status(std::ostream&)>& write)
{
    if (file == "-") {
        JsonOutput output;
        std::ostream stream(&output);
        const Status written = write(stream);
        return written || readerLeft ? flushOutput() : written;
    }
    if (const Status possible = checkTarget(file); !possible)
        return possible;
    std::error_code error;
    const bool device = fs::is_character_file(file, error); // renaming would replace the device
    const fs::path draft = device ? file : fs::path(file.string() + ".part");
    const auto fail = [&](Status status) {
        if (!device)
            fs::remove(draft, error);
        return status;
    };
    errno = 0;
    std::ofstream stream(draft, std::ios::binary | std::ios::trunc);
    const Status written = stream ? write(stream) : Status();
    stream.close();
    if (!written)
        return fail(written);
    if (!stream)
        return fail(writeError(file, errno));
    if (device)
        return {};
    fs::rename(draft, file, error);
    return error ? fail(writeError(file, error.value())) : Status();
}

Status checkWritable(const fs::path& file)
{
    if (file == "-")
        return {};
    if (const Status possible = checkTarget(file); !possible)
        return possible;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return writeError(file, errno);
    return {};
}

ProgressLine::ProgressLine()
    : m_terminal(::isatty(STDERR_FILENO) == 1)
{
}

void ProgressLine::show(double fraction, const std::string& what)
{
    if (!m_terminal)
        return;
    std::fprintf(stderr, "%s%s %s", kClearLine, withoutLineBreaks(what).c_str(),
                 formatPercent(fraction).c_str());
    std::fflush(stderr);
    m_shown = true;
}

void ProgressLine::clear()
{
    if (m_shown)
        std::fputs(kClearLine, stderr);
    m_shown = false;
}

} // namespace ep::app
