// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/backend.h"
#include "ep/session/events.h"

#include <QObject>

#include <memory>

namespace ep::session {

// Profiles one run at a time on a worker thread. Lives in the thread of its owner (GUI or command
// line), which must run an event loop; start() and cancel() return at once. Signals arrive in the
// owner's thread, gathered and delivered about 60 times a second, in order:
//   loadProgress* runStarted? (sectionStarted|sectionEnded|powerSample|tokenComplete|powerProblem)*
//   then exactly one of
//   finished (a run exists: complete, cancelled at any time, or failed after its first token)
//   failed (no run came about: nothing is stored).
// The loaded model stays for the next run with the same folder, device, dtype and threads.
class Profiler : public QObject {
    Q_OBJECT
public:
    explicit Profiler(QObject* parent = nullptr); // with realBackend()
    explicit Profiler(Backend backend, QObject* parent = nullptr);
    ~Profiler() override; // cancels and waits

    bool running() const;
    void start(const RunRequest& request); // must not be running
    void cancel(); // any number of times; the partial run is stored
    CurrentOperation currentOperation() const; // lock-free snapshot for a status line
    // Nothing of the program's window is to be seen: a run says so where that slows it down.
    void setWindowCovered(bool covered);

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
    struct Private;
    void deliverEvents();
    void endRun();
    std::unique_ptr<Private> d;
};

} // namespace ep::session
