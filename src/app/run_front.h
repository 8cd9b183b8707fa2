// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "interrupt.h"
#include "terminal.h"

#include "ep/session/repeat_loop.h"

#include <QTimer>

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::app {

struct RunFrontOptions {
    session::RunRequest request;
    std::vector<session::RunRequest> further{}; // runs with further prompts, one after another
    std::optional<session::UntilKnown> until{}; // with it, request.repeats is the maximum
    std::filesystem::path
        json{}; // empty: none, "-": standard output, which is then free of other text
    bool full = true; // all of a run as JSON, not only an overview
    bool details = false; // all tables, not only the answer
};

// Writes a run as JSON, without its texts if only their hashes are kept.
Status writeRunJson(const ep::Run& run, bool withTexts, bool full, std::ostream& sink);

// The terminal front end of one or more runs: streams the text, prints summaries and writes the
// JSON. Needs a QCoreApplication; main thread.
class RunFront : public QObject {
public:
    explicit RunFront(RunFrontOptions options);

    int exec(); // the exit status

private:
    void heardStart(const session::RunStarted& started);
    void heardToken(const session::TokenComplete& token);
    void heardEnd(const session::RunFinished& finished);
    void heardFailure(const Error& error);
    bool reachedGoal() const; // whether the goal of --until was reached
    void printKnown() const; // prints what the repeats say about the energy per token
    void printSummary(const session::RunFinished& finished);
    void printDetails(const ep::Run& run) const;
    int runs() const
    {
        return m_options.request.repeats * static_cast<int>(1 + m_options.further.size());
    }
    void printUnequalWork() const; // warns if the server's prompt cache saved work in repeats
    int judge(const session::RunFinished& finished) const; // reports what went wrong
    int writeJson() const;

    const RunFrontOptions m_options;
    const bool m_human; // whether to print human-readable text on standard output
    Interrupt m_interrupt;
    QTimer m_interruptCheck;
    ProgressLine m_progress;
    session::Profiler m_profiler;
    session::RepeatLoop m_loop;
    std::vector<std::shared_ptr<const ep::Run>> m_runs; // kept for the JSON
    std::vector<std::int64_t> m_computed; // prompt tokens of each run, if a server states them
    int m_done = 0; // number of finished runs
    int m_status = 0;
};

} // namespace ep::app
