// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/core/start_thread.h"

#include <QObject>
#include <QThread>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace ep::ui {

// A long measurement of a dialog: runs on its own thread, reports progress, and is cancelled when
// this object is destroyed. It must be a member of its dialog. The callbacks given to start() run
// on the dialog's thread, and are no longer called after a cancellation.
template <typename Value>
class MeasuringJob {
public:
    using Work =
        std::function<Result<Value>(const CancelToken& cancel, const ProgressFn& progress)>;

    MeasuringJob() = default;
    ~MeasuringJob() // cancels and waits
    {
        m_cancel.cancel();
        if (m_thread)
            m_thread->wait();
    }
    MeasuringJob(const MeasuringJob&) = delete;
    MeasuringJob& operator=(const MeasuringJob&) = delete;

    bool running() const { return m_thread != nullptr; }

    void start(QObject& dialog, Work work, ProgressFn progress,
               std::function<void(const Result<Value>&)> done)
    {
        const auto outcome = std::make_shared<std::optional<Result<Value>>>();
        m_thread.reset(QThread::create([&dialog, outcome, work = std::move(work),
                                        progress = std::move(progress), cancel = m_cancel] {
            // The thread ends before the dialog, which waits for it.
            outcome->emplace(work(cancel, [&](double fraction, const Message& what) {
                QMetaObject::invokeMethod(
                    &dialog, [progress, fraction, what] { progress(fraction, what); },
                    Qt::QueuedConnection);
            }));
        }));
        const auto finish = [this, done](const Result<Value>& result) {
            m_thread->wait();
            m_thread.release()->deleteLater();
            if (!m_cancel.cancelled())
                done(result);
        };
        QObject::connect(m_thread.get(), &QThread::finished, &dialog,
                         [finish, outcome] { finish(**outcome); });
        if (const Status started = startThread(*m_thread); !started)
            finish(started.error());
    }

private:
    std::unique_ptr<QThread> m_thread; // while measuring
    CancelToken m_cancel;
};

} // namespace ep::ui
