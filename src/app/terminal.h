// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/json/document.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

// Standard output and standard error of the commands. Main thread.
namespace ep::app {

// Prints the message as a single line on stderr; ends a progress line first.
void printError(const Message& message);
// Calls printError() and returns the exit status for the error.
int fail(const Error& error);

// Prints to stdout, not line-buffered; removes terminal control sequences from external text.
void print(std::string_view text);
// Prints a JSON document unchanged.
void printJson(std::string_view json);
// Serialises and prints a JSON document. Invalid UTF-8, which file names may hold, is replaced.
template <typename Json>
void printAsJson(const Json& document, int indent = 2)
{
    printJson(json::textOf(document, indent) + '\n');
}

// Width of standard output in characters: COLUMNS if set, otherwise the width of the terminal; 0:
// unlimited, as for a pipe.
int outputWidth();
// "1 run", "2 runs"
std::string counted(std::int64_t count, std::string_view one);
// Wraps prose to outputWidth(), or to 80 characters if that is unlimited. Every line but the first
// begins with this many blanks, and the first one is shorter by that number of characters.
std::string wrapped(std::string_view text, std::size_t indent = 0);
// "title    value", with the value wrapped in a column of its own.
std::string titledLine(std::string_view title, std::string_view value);
// Wraps each line that is too long; what follows begins below the words of the line.
std::string wrappedLines(std::string_view text);

// Flushes standard output; reports a failure to write anything printed so far, such as a full disk.
Status flushOutput();

// Flushes standard output. True if its reader is gone, as after `| head`.
bool outputIsClosed();

// The content of a text file; "-" is standard input. At most 64 MB.
Result<std::string> readText(const std::filesystem::path& file);
// Writes JSON to a file atomically; "-" is standard output.
Status writeText(const std::filesystem::path& file, std::string_view text);
// Writes a document piece by piece to a file or, for "-", to standard output.
Status writeStream(const std::filesystem::path& file,
                   const std::function<Status(std::ostream&)>& write);
// Checks, before long work begins, whether writeText() could succeed.
Status checkWritable(const std::filesystem::path& file);

// A progress line on stderr, updated in place; prints nothing if stderr is not a terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(double fraction, const std::string& what);
    ProgressFn shown() // calls show(); must not outlive this object
    {
        return [this](double fraction, const Message& what) { show(fraction, what.english()); };
    }
    void clear();

private:
    const bool m_terminal;
    bool m_shown = false;
};

} // namespace ep::app
