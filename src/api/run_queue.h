// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/profiler.h"

#include <QObject>
#include <QString>

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ep::api {

// The result that a waiting request gets when its run has ended.
struct RunOutcome {
    std::string id;
    std::optional<session::RunFinished> finished; // absent: there is no run, see `error`
    Error error{};
};

struct QueuedRun {
    session::RunRequest request; // with a run_id
    std::function<void(const RunOutcome&)> ended{};
    std::function<bool()> wanted{}; // false: nobody waits for it any more, so it does not start
    std::size_t bytes = 0; // size of the body that requested the run
};

// One profiled run at a time, the others in a queue.
class RunQueue : public QObject {
    Q_OBJECT
public:
    // At most `most` runs wait, with bodies of at most mostBytes; a single one may always wait.
    RunQueue(session::Backend backend, int most, std::size_t mostBytes, QObject* parent = nullptr);

    // 0: starts now; n: n runs are ahead; -1: the queue is full or closed
    int submit(QueuedRun run);
    bool cancel(const std::string& id); // cancels a waiting run, or the one in progress
    void setPaused(bool paused); // while paused, no run starts
    void setHeld(bool held); // like setPaused(), while messages are being sent
    void close(); // cancels everything; closed() follows

    bool running() const { return m_current.has_value(); }
    std::optional<std::string> runningId() const;
    std::vector<std::string> waitingIds() const; // in the order in which they will run
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
