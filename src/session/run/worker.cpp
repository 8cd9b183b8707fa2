// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/worker.h"

#include "attach/server_job.h"
#include "recorded/record_job.h"
#include "run/job_steps.h"
#include "run/model_cache.h"
#include "run/run_job.h"

#include "ep/core/start_thread.h"

#include <utility>

namespace ep::session {

Worker::Worker(Backend backend)
    : m_backend(std::move(backend))
    , m_current(pack({}))
{
    setObjectName(QStringLiteral("inference"));
}

Worker::~Worker()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
        m_changed.notify_all();
    }
    wait();
}

void Worker::post(const RunRequest& request, const CancelToken& cancel)
{
    {
        const std::lock_guard lock(m_mutex);
        m_job = Job{request, cancel};
        m_changed.notify_all();
    }
    if (const Status running = started(); !running) {
        const std::lock_guard lock(m_mutex);
        m_job.reset();
        m_outbox.put(RunFailed{running.error()});
    }
}

void Worker::prepare()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_job)
            return;
        m_job = Job{};
        m_changed.notify_all();
    }
    (void)started();
}

Status Worker::started()
{
    return isRunning() ? Status() : startThread(*this);
}

std::optional<Worker::Job> Worker::next()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_ending || m_job; });
    if (m_ending)
        return std::nullopt;
    return std::exchange(m_job, std::nullopt);
}

void Worker::run()
{
    ModelCache models(m_backend);
    while (const std::optional<Job> job = next()) {
        if (!job->request) {
            (void)models.library();
            continue;
        }
        const RunRequest& request = *job->request;
        const RunContext context{m_backend, models, m_outbox, m_current, job->cancel, m_cover};
        const Status made = guarded([&]() -> Status {
            if (request.server)
                ServerJob(request, context).execute();
            else if (request.record)
                RecordJob(request, context).execute();
            else
                RunJob(request, context).execute();
            return {};
        });
        if (!made)
            m_outbox.put(RunFailed{made.error()});
    }
}

} // namespace ep::session
