// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_words.h"
#include "commands/commands.h"
#include "exit_status.h"
#include "old_names.h"
#include "terminal.h"
#include "word_reader.h"

#include "ep/core/command_record.h"
#include "ep/core/joined.h"
#include "ep/core/start_thread.h"
#include "ep/store/store_files.h"

#include <QByteArray>
#include <QString>
#include <QtGlobal>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace {

using namespace ep::app;

QtMessageHandler earlierHandler = nullptr;

// Qt aborts the program if there is no display.
[[noreturn]] void leaveWithoutDisplay()
{
    printError("There is no display for the window. 'energy-profiler run' and the other commands "
               "work without one: see energy-profiler --help.");
    std::fflush(nullptr);
    ::_exit(kExitFailed);
}

// Drops Qt's own lines about what we report ourselves: a thread that cannot be started, and a
// missing display.
void omitWhatWeSay()
{
    earlierHandler = qInstallMessageHandler(
        [](QtMsgType type, const QMessageLogContext& context, const QString& text) {
            if (type == QtFatalMsg && text.contains(QStringLiteral("platform plugin")))
                leaveWithoutDisplay();
            for (const char* const ours :
                 {"QThread::start: Thread creation error", "could not connect to display",
                  "Could not load the Qt platform plugin", "Failed to create wl_display",
                  "From 6.5.0, xcb-cursor0"}) {
                if (text.contains(QLatin1String(ours)))
                    return;
            }
            if (earlierHandler != nullptr)
                earlierHandler(type, context, text);
            else
                static_cast<void>(
                    std::fputs(qPrintable(qFormatLogMessage(type, context, text) + u'\n'), stderr));
        });
}

// Flushes the output; after a reported failure, no second one is reported.
int ended(int status)
{
    const ep::Status flushed = flushOutput();
    return status == kExitDone && !flushed ? fail(flushed.error()) : status;
}

// EP_BACKUPS: how many daily backups of the database are kept; 0: none are made.
ep::store::BackupPolicy backupPolicy()
{
    ep::store::BackupPolicy policy{.on = true};
    const char* wanted = std::getenv("EP_BACKUPS");
    int kept = 0;
    if (wanted && std::from_chars(wanted, wanted + std::strlen(wanted), kept).ec == std::errc())
        policy.kept = kept;
    return policy;
}

// What CLI11 says, and how this program says it. % stands for any text; the first ones are kept.
struct ParserText {
    std::string_view theirs;
    std::string_view ours;
};

constexpr ParserText kParserTexts[] = {
    {"%: At Most 1 required but received %", "% can be given only once"},
    {"%: At Most % required but received %", "% takes at most % values, but % are given"},
    {"%: At least % required but received %", "% takes at least % values; given: %"},
    {"%: 1 required % missing", "% has no value"},
    {"%: % required % missing", "% lacks % values"},
    {"Exactly 1 option from [%] is required and % were given", "Give only one of %"},
    {"Exactly 1 option from [%] is required", "Give one of %"},
    {"Could not convert: % = %", "%: '%' is not a number"},
    {"% requires %", "% needs %"},
    {"% excludes %", "% and % exclude each other"},
};

// The texts in the places of %; absent: the pattern does not match.
std::optional<std::vector<std::string>> partsOf(std::string_view text, std::string_view pattern)
{
    std::vector<std::string> parts;
    while (true) {
        const std::size_t mark = pattern.find('%');
        if (!text.starts_with(pattern.substr(0, mark)))
            return std::nullopt;
        if (mark == std::string_view::npos)
            return text.size() == pattern.size() ? std::optional(parts) : std::nullopt;
        text.remove_prefix(mark);
        pattern.remove_prefix(mark + 1);
        const std::string_view next = pattern.substr(0, pattern.find('%'));
        const std::size_t end = next.empty() ? text.size() : text.find(next);
        if (end == std::string_view::npos)
            return std::nullopt;
        std::string& part = parts.emplace_back(text.substr(0, end));
        for (std::size_t at = 0; (at = part.find(",--", at)) != std::string::npos;)
            part.insert(at + 1, " ");
        text.remove_prefix(end);
    }
}

std::string inOurWords(const std::string& problem)
{
    for (const ParserText& text : kParserTexts) {
        const auto parts = partsOf(problem, text.theirs);
        if (!parts)
            continue;
        std::string ours;
        std::size_t next = 0;
        for (const char c : text.ours)
            ours += c == '%' ? (*parts)[next++] : std::string(1, c);
        return ours;
    }
    return problem;
}

std::string problemOf(const CLI::ParseError& error, const CommandWords& words)
{
    if (error.get_name() == "RequiredError" && !words.missing.empty())
        return "'" + words.command + "' needs one of " + ep::joined(words.missing);
    if (error.get_name() != "ValidationError")
        return inOurWords(error.what());
    return error.what() + (words.hint.empty() ? "" : "; did you mean " + words.hint + '?');
}

int runProgram(int argc, char** argv)
{
    CLI::App app;
    Invocation invocation{argc, argv, {}};
    describeCommandLine(app, invocation);
    CommandWords words = readWords(app, withPresentNames({argv + 1, argv + argc}));
    try {
        std::ranges::reverse(words.arguments); // CLI11 expects the last one first
        if (words.problem.empty())
            app.parse(std::move(words.arguments));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) { // help and version
            std::ostringstream text;
            app.exit(error, text, text);
            print(text.str());
            return ended(kExitDone);
        }
        words.problem = problemOf(error, words);
    }
    if (!words.problem.empty()) {
        if (words.problem.ends_with('.')) // sentences of this program end with a full stop
            words.problem.pop_back();
        printError(words.problem + "; see " + words.command + " --help");
        return kExitUsage;
    }
    ep::store::setBackupPolicy(backupPolicy());
    return ended(invocation.action());
}

int reportingProblems(int argc, char** argv)
{
    try {
        return runProgram(argc, argv);
    } catch (const std::bad_alloc&) {
        printError("There is not enough memory: close other programs, or raise the limit (ulimit), "
                   "then try again.");
    } catch (const std::system_error& problem) {
        const bool thread = problem.code() == std::errc::resource_unavailable_try_again;
        printError(thread ? ep::cannotStartThread().message.english()
                          : std::string("unexpected error: ") + problem.what());
    } catch (const std::exception& exception) {
        printError(std::string("unexpected error: ") + exception.what());
    }
    return kExitFailed;
}

// Everything of ours is closed by now. The static objects of LibTorch and of the libraries that it
// loads would take a tenth of a short run to free memory that the system frees anyway.
[[noreturn]] void leave(int status)
{
#ifdef EP_REPORTS_AT_EXIT // sanitizers and gcov
    std::exit(status);
#else
    std::fflush(nullptr);
    ::_exit(status);
#endif
}

} // namespace

int main(int argc, char** argv)
{
    // Files may contain prompts, so only their owner may read them.
    const mode_t before = ::umask(0077);
    ::umask(before | 0077);
    ep::rememberUmask(before);
    takeCommandWords(argc, argv);
    // Writing to a closed pipe then fails and is reported instead of ending the program.
    std::signal(SIGPIPE, SIG_IGN);
    // Writing beyond the size limit of files then also fails instead of ending the program.
    std::signal(SIGXFSZ, SIG_IGN);
    omitWhatWeSay();
    leave(reportingProblems(argc, argv));
}
