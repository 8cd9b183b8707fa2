// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/backend.h"
#include "ep/session/events.h"

#include <QObject>

#include <memory>

namespace ep::session {

// Profiles one run at a time on a worker thread. Lives in the thread of its owner (GUI or command
// line), which must run an event loop; start() and cancel() return immediately. Signals arrive in
// the owner's thread, in batches (about 60 a second unless setDeliveryInterval() was called), in
// order:
//   loadProgress* runStarted? (sectionStarted|sectionEnded|powerSample|tokenComplete|powerProblem)*
//   then exactly one of
//   finished (a run exists: complete, cancelled at any time, or failed after its first token)
//   failed (there is no run: nothing is stored).
// delivered follows every batch but the last one.
// The loaded model is kept for the next run with the same folder, device, dtype and threads.
class Profiler : public QObject {
    Q_OBJECT
public:
    explicit Profiler(QObject* parent = nullptr); // uses realBackend()
    explicit Profiler(Backend backend, QObject* parent = nullptr);
    ~Profiler() override; // cancels and waits

    bool running() const;
    void start(const RunRequest& request); // no run may be in progress
    // Opens the engine on the worker thread (some tenths of a second), so that the first run need
    // not. May be called at any time; a run that starts meanwhile waits until the engine is open.
    void prepare();
    void cancel(); // may be called repeatedly; the partial run is stored
    void setDeliveryInterval(int ms); // interval between two batches of signals
    CurrentOperation currentOperation() const; // lock-free snapshot for a status line
    // Whether the window is hidden, which a run notes if it slows the program down.
    void setWindowCovered(bool covered);

Q_SIGNALS:
    void loadProgress(double fraction, const ep::Message& what);
    void runStarted(const ep::session::RunStarted& started);
    void sectionStarted(const ep::session::SectionEvent& event);
    void sectionEnded(const ep::session::SectionEvent& event);
    void powerSample(const ep::PowerSample& sample);
    void powerProblem(const ep::Message& problem); // the source failed; the run continues
    void tokenComplete(const ep::session::TokenComplete& token);
    void delivered();
    void finished(const ep::session::RunFinished& finished);
    void failed(const ep::Error& error);

private:
    struct Private;
    void deliverEvents();
    void endRun();
    std::unique_ptr<Private> d;
};

} // namespace ep::session
