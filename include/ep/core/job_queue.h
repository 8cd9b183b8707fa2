// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace ep {

// Runs jobs one after the other on a thread of its own, which exists only while there are jobs.
// Where the system starts no more threads, a job runs at once on the caller's thread: QThreadPool
// would wait for ever for the thread that it did not get. Jobs must not throw.
class JobQueue {
public:
    JobQueue() = default;
    ~JobQueue(); // drops the jobs that have not begun, waits for the one that has
    JobQueue(const JobQueue&) = delete;
    JobQueue& operator=(const JobQueue&) = delete;

    // These three from one thread.
    void start(std::function<void()> job);
    void clear(); // drops the jobs that have not begun
    void waitForDone();

private:
    void work();

    std::mutex m_mutex; // guards the members below
    std::condition_variable m_changed;
    std::deque<std::function<void()>> m_jobs;
    bool m_working = false; // the thread runs and has not decided to end
    std::thread m_thread;
};

} // namespace ep
