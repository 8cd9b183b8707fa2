// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/profiler.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ep::api {

// Reply to a waiting request when its run has ended.
struct RunOutcome {
    std::string id;
    std::optional<session::RunFinished> finished; // absent: there is no run, see `error`
    Error error{};
};

struct QueuedRun {
    session::RunRequest request; // with a run_id
    std::function<void(const RunOutcome&)> ended{};
    std::function<bool()> wanted{}; // false: nobody waits for it any more, so it need not start
    std::size_t bytes = 0; // of the body that asked for it
};

// One profiled run at a time, the others in a queue.
class RunQueue : public QObject {
    Q_OBJECT
public:
    // At most this many runs wait, with at most mostBytes of bodies; one may always wait.
    RunQueue(session::Backend backend, int most, std::size_t mostBytes, QObject* parent = nullptr);

    // 0: starts now; n: n runs are ahead; -1: the queue is full or closed
    int submit(QueuedRun run);
    bool cancel(const std::string& id); // a waiting one, or the one in progress
    void setPaused(bool paused); // nothing starts
    void setHeld(bool held); // the same, for a different reason
    void close(); // cancels everything; closed() follows

    bool running() const { return m_current.has_value(); }
    std::optional<std::string> runningId() const;
    std::vector<std::string> waitingIds() const; // the next one first
    session::Profiler& profiler() { return m_profiler; }

Q_SIGNALS:
    // A run exists; its waiting request is answered after this.
    void finishing(const ep::session::RunFinished& finished);
    void runningChanged(bool running);
    void closed();

private:
    void startNext();
    void finishCurrent(const RunOutcome& outcome);

    session::Profiler m_profiler;
    bool hasRoomFor(const QueuedRun& run) const;

    const int m_most;
    const std::size_t m_mostBytes;
    std::deque<QueuedRun> m_waiting;
    std::optional<QueuedRun> m_current;
    bool m_paused = false;
    bool m_held = false;
    bool m_closed = false;
};

} // namespace ep::api
