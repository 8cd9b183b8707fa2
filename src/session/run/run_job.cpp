// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/assemble.h"
#include "run/job.h"
#include "run/prompt.h"

#include <memory>
#include <optional>
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

// A run of our engine, from loading the model: prepare, settle, infer, conclude and assemble, each
// in a separate file.
class RunJob final : public InferenceJob {
public:
    RunJob(const RunRequest& request, const RunContext& context)
        : InferenceJob(cleaned(request), context, "Profiling a model")
    {
    }

    void execute() override
    {
        m_load.prepare();
        Status outcome = guarded([this] { return perform(); });
        if (m_recording) {
            const Status concluded = guarded([this] { return m_recording->conclude(); });
            if (outcome)
                outcome = concluded;
        }
        if (const Status finished = guarded([&] { return finish(outcome); }); !finished)
            putError(finished.error());
        m_context.current.store(pack({}), std::memory_order_relaxed);
    }

private:
    // Up to the last token.
    Status perform() override
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

    Status finish(const Status& outcome) override
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

        putRun(assemble());
        return {};
    }

    Run assemble() const
    {
        Run run = assembleRun(m_scope, m_info, m_prepared ? m_prepared->model : nullptr,
                              m_recording ? &*m_recording : nullptr, m_rehearsals);
        if (m_activity && m_activity->mayNap())
            noteCovered(run.info, m_recording ? m_recording->covered() : 0);
        return run;
    }

    std::optional<PreparedRun> m_prepared;
    Rehearsals m_rehearsals;
    std::optional<Recording> m_recording;
};

} // namespace

std::unique_ptr<InferenceJob> makeRunJob(const RunRequest& request, const RunContext& context)
{
    return std::make_unique<RunJob>(request, context);
}

} // namespace ep::session
