// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/events.h"

#include <QObject>
#include <QThread>

#include <memory>

namespace ep::session {

// Profiles one run at a time on a worker thread. Lives in the thread of its owner (GUI or command
// line); start() and cancel() return at once, signals arrive in the owner's thread, in order:
//   loadProgress* runStarted? (sectionStarted|sectionEnded|powerSample|tokenComplete)* then exactly
//   one of finished (a run exists: complete, cancelled or failed in the middle) or failed (no run
//   came about).
// The loaded model stays for the next run with the same folder, device and dtype.
class Profiler : public QObject {
    Q_OBJECT
public:
    explicit Profiler(QObject* parent = nullptr);
    ~Profiler() override; // cancels and waits

    bool running() const;
    void start(const RunRequest& request); // must not be running
    void cancel(); // any number of times; the partial run is stored
    CurrentOperation currentOperation() const; // lock-free snapshot for a status line

Q_SIGNALS:
    void loadProgress(double fraction, const QString& what);
    void runStarted(const ep::session::RunStarted& started);
    void sectionStarted(const ep::session::SectionEvent& event);
    void sectionEnded(const ep::session::SectionEvent& event);
    void powerSample(const ep::PowerSample& sample);
    void powerProblem(const QString& message); // the source died; the run goes on
    void tokenComplete(const ep::session::TokenComplete& token);
    void finished(const ep::session::RunFinished& finished);
    void failed(int errorCode, const QString& message); // ep::ErrorCode

private:
    class Worker;
    QThread m_thread;
    Worker* m_worker = nullptr; // lives in m_thread
    CancelToken m_cancel; // of the current run
    bool m_running = false;
};

} // namespace ep::session
