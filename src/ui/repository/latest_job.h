// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/job_queue.h"
#include "ep/core/start_thread.h"

#include <QObject>
#include <QThread>

#include <atomic>
#include <memory>
#include <utility>

namespace ep::ui {

// A QThread with the interface that JobQueueOf needs from std::thread, because documents and other
// Qt objects with timers only work on a QThread.
class QtThread {
public:
    ~QtThread()
    {
        if (joinable())
            join();
    }

    bool joinable() const { return m_thread != nullptr; }
    void join()
    {
        m_thread->wait();
        m_thread.reset();
    }

    template <typename Work>
    friend Status startThread(QtThread& thread, Work&& work)
    {
        thread.m_thread.reset(QThread::create(std::forward<Work>(work)));
        const Status started = ep::startThread(*thread.m_thread);
        if (!started)
            thread.m_thread.reset();
        return started;
    }

private:
    std::unique_ptr<QThread> m_thread;
};

// Keeps short work off the GUI thread: runs it on a separate thread and passes the result back to
// the thread of this object. Starting again makes earlier results obsolete, so they are dropped.
class LatestJob : public QObject {
public:
    using QObject::QObject;
    ~LatestJob() override
    {
        drop();
        m_jobs.waitForDone();
    }

    // work() runs on another thread and must hold copies of all it needs; done(result) is called
    // here. If the system starts no more threads, work() runs at once on this one.
    template <typename Work, typename Done>
    void start(Work work, Done done)
    {
        drop();
        const quint64 generation = m_generation.load();
        m_jobs.start([this, generation, work = std::move(work), done = std::move(done),
                      unanswered = std::make_shared<Unanswered>()] {
            if (generation != m_generation.load())
                return;
            using Value = decltype(work());
            const auto value = std::make_shared<Value>(work());
            QMetaObject::invokeMethod(
                this,
                [this, generation, value, done, unanswered] {
                    if (generation == m_generation.load())
                        done(std::move(*value));
                },
                Qt::QueuedConnection);
        });
    }

    // Drops work that was started; work that has not begun yet never will.
    void drop()
    {
        ++m_generation;
        m_jobs.clear();
    }

    // Whether any object has a pending result.
    static bool anyUnanswered() { return Unanswered::count.load() > 0; }

private:
    // Lives until the result has been passed back or dropped.
    struct Unanswered {
        Unanswered() { ++count; }
        ~Unanswered() { --count; }
        Unanswered(const Unanswered&) = delete;
        Unanswered& operator=(const Unanswered&) = delete;
        static inline std::atomic<int> count{0};
    };

    JobQueueOf<QtThread> m_jobs;
    std::atomic<quint64> m_generation{0};
};

} // namespace ep::ui
