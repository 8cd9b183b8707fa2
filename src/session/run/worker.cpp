// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/worker.h"

#include "run/job.h"

#include "ep/core/start_thread.h"

#include <utility>

namespace ep::session {

InferenceJob::InferenceJob(RunRequest request, const RunContext& context, const char* activity)
    : m_request(std::move(request))
    , m_context(context)
    , m_store(StoreWriter::make(m_request.database, m_request.store_texts))
    , m_power(m_request, context.backend, context.outbox, m_store.get(), context.cancel)
    , m_load(systemLoadClocks(context.backend))
    , m_scope{m_request, m_context, m_power, m_store.get(), m_load}
{
    if (m_context.backend.beginActivity)
        m_activity = m_context.backend.beginActivity(activity);
}

void InferenceJob::execute()
{
    if (const Status ended = guarded([this] { return finish(perform()); }); !ended)
        putError(ended.error());
}

void InferenceJob::putRun(Run run)
{
    m_power.release();
    m_context.outbox.put(finishedRun(std::move(run), m_store.get()));
}

void InferenceJob::putError(const Error& error)
{
    m_power.release();
    m_context.outbox.put(RunFailed{error});
}

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
            const auto make = request.server ? makeServerJob
                : request.record             ? makeRecordJob
                                             : makeRunJob;
            make(request, context)->execute();
            return {};
        });
        if (!made)
            m_outbox.put(RunFailed{made.error()});
    }
}

} // namespace ep::session
