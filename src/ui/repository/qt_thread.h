// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/start_thread.h"

#include <QThread>

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

} // namespace ep::ui
