// SPDX-License-Identifier: GPL-3.0-or-later
#include "record_front.h"

#include "answer_text.h"
#include "exit_status.h"
#include "profiling_text.h"
#include "run_front.h"
#include "run_text.h"

#include "ep/core/clock.h"
#include "ep/core/stop_request.h"
#include "ep/session/answer.h"

#include <QCoreApplication>

#include <cstdio>
#include <utility>

namespace ep::app {

using session::Profiler;

namespace {

// A command that ignores Ctrl-C is ended by this many of them within this time.
constexpr std::size_t kInsisting = 3;
constexpr std::int64_t kInsistingMs = 3000;

void printBeside(const std::string& text)
{
    static_cast<void>(std::fputs(text.c_str(), stderr));
    static_cast<void>(std::fflush(stderr));
}

} // namespace

RecordFront::RecordFront(RecordFrontOptions options)
    : m_options(std::move(options))
    , m_relay(m_options.request.record->control)
{
    constexpr int kCheckIntervalMs = 20;
    m_signalCheck.setInterval(kCheckIntervalMs);
    connect(&m_signalCheck, &QTimer::timeout, this, &RecordFront::checkSignals);
    connect(&m_profiler, &Profiler::loadProgress, this, m_progress.shown());
    connect(&m_profiler, &Profiler::runStarted, this, [this](const session::RunStarted& started) {
        m_progress.clear();
        if (const auto lack = lackOfEnergy(m_options.request.power, started.info.power);
            !lack.empty())
            printError(lack);
    });
    connect(&m_profiler, &Profiler::finished, this, &RecordFront::heardEnd);
    connect(&m_profiler, &Profiler::failed, this, &RecordFront::heardFailure);
}

int RecordFront::exec()
{
    m_signalCheck.start();
    m_profiler.start(m_options.request);
    QCoreApplication::exec();
    return m_status;
}

void RecordFront::checkSignals()
{
    const int stops = m_relay.stops();
    const bool running = m_options.request.record->control->running();
    if (stops > 0 && !running)
        requestStop(); // the command has got its signal: now we end, too
    if (stops == m_stops)
        return;
    const std::int64_t now = monotonicNow() / 1'000'000;
    m_lately.insert(m_lately.end(), static_cast<std::size_t>(stops - m_stops), now);
    m_stops = stops;
    std::erase_if(m_lately, [&](std::int64_t at) { return now - at > kInsistingMs; });
    // Until the command runs, nothing is lost; then the command decides what a signal means.
    if (!running || m_lately.size() >= kInsisting)
        m_profiler.cancel();
}

void RecordFront::heardEnd(const session::RunFinished& finished)
{
    m_progress.clear();
    const ep::Run& run = *finished.run;
    m_status = m_options.request.record->control->status();
    if (m_options.json != "-") {
        std::string text =
            "\n" + openingText(run, session::answerOf(run)) + figuresText(run) + commandText(run);
        if (finished.saved)
            text += savedLine(run, m_options.request.database);
        if (m_options.details)
            text += '\n' + summaryText(run) + profilingText(run);
        printBeside(text);
    }
    if (!finished.save_problem.empty()) {
        printError("The run was not stored: " + finished.save_problem.english());
        m_status = m_status == kExitDone ? kExitFailed : m_status;
    }
    if (!m_options.json.empty()) {
        const Status written = writeStream(m_options.json, [&](std::ostream& sink) {
            return writeRunJson(run, m_options.request.store_texts, m_options.full, sink);
        });
        if (!written)
            m_status = m_status == kExitDone ? fail(written.error()) : m_status;
    }
    QCoreApplication::quit();
}

void RecordFront::heardFailure(const Error& error)
{
    m_progress.clear();
    const int status = m_options.request.record->control->status();
    m_status = fail(error);
    if (status > 0) // as a shell reports that it cannot start a command
        m_status = status;
    QCoreApplication::quit();
}

} // namespace ep::app
