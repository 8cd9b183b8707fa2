// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "signal_relay.h"
#include "terminal.h"

#include "ep/session/profiler.h"

#include <QTimer>

#include <filesystem>
#include <vector>

namespace ep::app {

struct RecordFrontOptions {
    session::RunRequest request;
    std::filesystem::path
        json{}; // empty: none; "-": standard output, after the command's own output
    bool full = true; // all of the run as JSON, not only an overview
    bool details = false; // all tables, not only the answer
};

// The terminal front end of a recorded command. Standard output belongs to the command, so this
// program writes to standard error, except for the JSON if requested. Needs a QCoreApplication;
// main thread.
class RecordFront : public QObject {
public:
    explicit RecordFront(RecordFrontOptions options);

    int exec(); // returns the exit status of the command

private:
    void checkSignals();
    void heardEnd(const session::RunFinished& finished);
    void heardFailure(const Error& error);

    const RecordFrontOptions m_options;
    SignalRelay m_relay;
    QTimer m_signalCheck;
    ProgressLine m_progress;
    session::Profiler m_profiler;
    int m_stops = 0; // signals received so far
    std::vector<std::int64_t> m_lately; // times of the last ones, in milliseconds
    int m_status = 0;
};

} // namespace ep::app
