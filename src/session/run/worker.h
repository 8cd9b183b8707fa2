// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/current_operation.h"
#include "record/outbox.h"
#include "run/cover_watch.h"

#include "ep/session/backend.h"

#include <QThread>

#include <condition_variable>
#include <mutex>
#include <optional>

namespace ep::session {

// The inference thread: owns the model and executes one run after the other. It has no event loop;
// runs come in through a mailbox and events go out through the Outbox.
class Worker final : public QThread {
public:
    explicit Worker(Backend backend);
    ~Worker() override; // waits for the current run; cancel it first

    void post(const RunRequest& request, const CancelToken& cancel);
    // Opens the engine, which the first run would wait for. Does nothing if a run is waiting, and
    // leaves errors to the run.
    void prepare();

    Outbox& outbox() { return m_outbox; }
    const PublishedOperation& current() const { return m_current; }
    CoverWatch& cover() { return m_cover; }

private:
    struct Job {
        std::optional<RunRequest> request; // absent: only opens the engine
        CancelToken cancel;
    };

    void run() override;
    Status started();
    std::optional<Job> next(); // waits; absent if the thread should end

    const Backend m_backend;
    Outbox m_outbox;
    PublishedOperation m_current;
    CoverWatch m_cover;
    std::mutex m_mutex; // guards m_job and m_ending
    std::condition_variable m_changed;
    std::optional<Job> m_job;
    bool m_ending = false;
};

} // namespace ep::session
