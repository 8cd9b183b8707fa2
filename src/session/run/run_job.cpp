// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_job.h"

#include "run/job_steps.h"
#include "run/prompt.h"

#include <exception>
#include <string>
#include <utility>

namespace ep::session {

namespace {

RunRequest cleaned(RunRequest request)
{
    request.prompt = cleanPrompt(request.prompt);
    for (std::string& prompt : request.further_prompts)
        prompt = cleanPrompt(prompt);
    return request;
}

} // namespace

RunJob::RunJob(const RunRequest& request, const RunContext& context)
    : m_request(cleaned(request))
    , m_context(context)
    , m_store(StoreWriter::make(m_request.database, m_request.store_texts))
    , m_power(m_request, context.backend, context.outbox, m_store.get(), context.cancel)
    , m_load(systemLoadClocks(context.backend))
    , m_scope{m_request, m_context, m_power, m_store.get(), m_load}
{
    if (m_context.backend.beginActivity)
        m_activity = m_context.backend.beginActivity("Profiling a model");
}

void RunJob::execute()
{
    m_load.prepare();
    Status outcome = guarded([this] { return perform(); });
    if (m_recording) {
        const Status concluded = guarded([this] { return m_recording->conclude(); });
        if (outcome)
            outcome = concluded;
    }
    if (const Status finished = guarded([&] { return finish(outcome); }); !finished) {
        m_power.release();
        m_context.outbox.put(RunFailed{finished.error()});
    }
    m_context.current.store(pack({}), std::memory_order_relaxed);
}

Status RunJob::perform()
{
    auto prepared = prepareRun(m_scope, m_info);
    if (!prepared)
        return prepared.error();
    m_prepared = *std::move(prepared);
    if (m_store)
        m_store->begin(m_info);
    auto rehearsals = settleRun(m_scope, *m_prepared, m_info);
    if (!rehearsals)
        return rehearsals.error();
    m_rehearsals = *std::move(rehearsals);
    m_recording.emplace(m_scope, *m_prepared, m_info);
    return m_recording->infer();
}

Status RunJob::finish(const Status& outcome)
{
    m_power.stop(m_recording ? m_recording->time() : TimeRange());
    const bool cancelled = !outcome && outcome.error().code == ErrorCode::Cancelled;
    if (!outcome && !cancelled && (!m_recording || m_recording->tokens().empty())) {
        if (m_store)
            m_store->discard();
        return outcome;
    }
    m_info.status = outcome ? RunStatus::Complete
        : cancelled         ? RunStatus::Cancelled
                            : RunStatus::Failed;
    m_info.status_message = outcome
        ? m_prepared->transcript.contextNote(m_info.model, m_request.max_new_tokens)
        : outcome.error().message;

    Run run = assemble();
    m_power.release();
    m_context.outbox.put(finishedRun(std::move(run), m_store.get()));
    return {};
}

Run RunJob::assemble() const
{
    Run run = assembleRun(m_scope, m_info, m_prepared ? m_prepared->model : nullptr,
                          m_recording ? &*m_recording : nullptr, m_rehearsals);
    if (m_activity && m_activity->mayNap())
        noteCovered(run.info, m_recording ? m_recording->covered() : 0);
    return run;
}

} // namespace ep::session
