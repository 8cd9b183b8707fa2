// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/start_thread.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace ep {

// Runs jobs one after the other on its own thread, which exists only while there are jobs. If the
// system starts no more threads, a job runs at once on the caller's thread; QThreadPool would wait
// forever for a missing thread. Jobs must not throw. Thread: needs joinable(), join() and
// startThread() like std::thread.
template <typename Thread>
class JobQueueOf {
public:
    JobQueueOf() = default;
    ~JobQueueOf() // drops jobs that have not begun, and waits for the current one
    {
        clear();
        waitForDone();
    }
    JobQueueOf(const JobQueueOf&) = delete;
    JobQueueOf& operator=(const JobQueueOf&) = delete;

    // Call these three from the same thread.
    void start(std::function<void()> job)
    {
        std::unique_lock lock(m_mutex);
        m_jobs.push_back(std::move(job));
        if (m_working)
            return;
        if (m_thread.joinable())
            m_thread.join(); // the thread has ended, or will end without needing the lock
        m_working = true;
        if (startThread(m_thread, [this] { work(); }))
            return;
        m_working = false;
        const std::deque<std::function<void()>> jobs = std::exchange(m_jobs, {});
        lock.unlock();
        for (const auto& one : jobs)
            one();
    }
    void clear() // drops jobs that have not begun
    {
        std::deque<std::function<void()>> dropped; // destroyed outside of the lock
        const std::lock_guard lock(m_mutex);
        dropped.swap(m_jobs);
    }
    void waitForDone()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return !m_working; });
        if (m_thread.joinable())
            m_thread.join();
    }

private:
    void work()
    {
        std::unique_lock lock(m_mutex);
        while (!m_jobs.empty()) {
            {
                const std::function<void()> job = std::move(m_jobs.front());
                m_jobs.pop_front();
                lock.unlock();
                job();
            }
            lock.lock();
        }
        m_working = false;
        m_changed.notify_all();
    }

    std::mutex m_mutex; // guards the members below
    std::condition_variable m_changed;
    std::deque<std::function<void()>> m_jobs;
    bool m_working = false; // whether the thread runs and has not decided to end
    Thread m_thread;
};

using JobQueue = JobQueueOf<std::thread>;

} // namespace ep
