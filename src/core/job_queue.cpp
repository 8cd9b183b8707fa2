// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/job_queue.h"

#include "ep/core/start_thread.h"

#include <utility>

namespace ep {

JobQueue::~JobQueue()
{
    clear();
    waitForDone();
}

void JobQueue::start(std::function<void()> job)
{
    std::unique_lock lock(m_mutex);
    m_jobs.push_back(std::move(job));
    if (m_working)
        return;
    if (m_thread.joinable())
        m_thread.join(); // it has ended, or is about to without needing the lock
    m_working = true;
    if (startThread(m_thread, [this] { work(); }))
        return;
    m_working = false;
    const std::deque<std::function<void()>> jobs = std::exchange(m_jobs, {});
    lock.unlock();
    for (const auto& one : jobs)
        one();
}

void JobQueue::clear()
{
    std::deque<std::function<void()>> dropped; // which are destroyed without the lock
    const std::lock_guard lock(m_mutex);
    dropped.swap(m_jobs);
}

void JobQueue::waitForDone()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_working; });
    if (m_thread.joinable())
        m_thread.join();
}

void JobQueue::work()
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

} // namespace ep
