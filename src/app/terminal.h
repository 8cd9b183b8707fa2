// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <filesystem>
#include <string>
#include <string_view>

// Standard output and error as the commands use them. Main thread.
namespace ep::app {

// One line on stderr, whatever the message holds; ends a progress line first.
void printError(std::string_view message);
// printError() and the exit status that belongs to the error.
int fail(const Error& error);

// To stdout, unbuffered by lines; what others wrote cannot steer a terminal.
void print(std::string_view text);
// The same for a JSON document, which stays what it is.
void printJson(std::string_view json);

// Characters of a line of standard output: COLUMNS where it is set, else the terminal's width; 0:
// no limit, as in a pipe.
int outputWidth();
// Prose in lines of at most outputWidth(), 80 where that has no limit.
std::string wrapped(std::string_view text);

// Whether everything printed so far arrived; a full disk shows only here.
Status flushOutput();

// Whether nobody reads standard output any more, as after `| head`. Sends what is printed so far.
bool outputIsClosed();

// The text of a file, "-" being standard input; at most 64 MB.
Result<std::string> readText(const std::filesystem::path& file);
// JSON to a file, "-" being standard output. A file appears whole or not at all.
Status writeText(const std::filesystem::path& file, std::string_view text);
// Whether writeText() could work, asked before long work begins.
Status checkWritable(const std::filesystem::path& file);

// A line on stderr that keeps being replaced; nothing where stderr is no terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(double fraction, std::string_view what);
    void clear();

private:
    const bool m_terminal;
    bool m_shown = false;
};

} // namespace ep::app
