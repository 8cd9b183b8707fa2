// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/pays_job.h"

#include "ep/core/start_thread.h"

#include <utility>

namespace ep::session {

PaysJob::PaysJob(PaysSpec spec, StudyOptions options, Backend backend, QObject* parent)
    : QObject(parent)
    , m_runner(
          std::make_unique<PaysRunner>(std::move(spec), std::move(options), std::move(backend)))
{
    m_thread.setObjectName(QStringLiteral("pays"));
    PaysRunner* const runner = m_runner.get();
    connect(runner, &PaysRunner::stepStarting, this, &PaysJob::stepStarting, Qt::DirectConnection);
    connect(runner, &PaysRunner::progress, this, &PaysJob::progress, Qt::DirectConnection);
    connect(runner, &PaysRunner::tokenComplete, this, &PaysJob::tokenComplete,
            Qt::DirectConnection);
    connect(runner, &PaysRunner::runFinished, this, &PaysJob::runFinished, Qt::DirectConnection);
    // The result changes on the runner's thread, so it is copied there.
    connect(runner, &PaysRunner::pairFinished, runner,
            [this, runner] { Q_EMIT pairFinished(runner->result()); });
    connect(runner, &PaysRunner::finished, runner, [this, runner] {
        Q_EMIT finished(runner->result());
        runner->thread()->quit();
    });
}

PaysJob::~PaysJob()
{
    cancel();
    m_thread.wait();
    m_runner.reset(); // safe, since its thread has ended
}

Status PaysJob::start()
{
    m_runner->moveToThread(&m_thread);
    if (const Status started = startThread(m_thread); !started)
        return started;
    QMetaObject::invokeMethod(m_runner.get(), &PaysRunner::start, Qt::QueuedConnection);
    return {};
}

void PaysJob::cancel()
{
    if (m_thread.isRunning())
        QMetaObject::invokeMethod(m_runner.get(), &PaysRunner::cancel, Qt::QueuedConnection);
}

} // namespace ep::session
