// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/job_steps.h"
#include "run/run_scope.h"

#include <memory>

namespace ep::session {

// A run from its request to the stored result, on the inference thread. Puts exactly one
// RunFinished or RunFailed into the outbox, last.
class InferenceJob {
public:
    virtual ~InferenceJob() = default;
    InferenceJob(const InferenceJob&) = delete;
    InferenceJob& operator=(const InferenceJob&) = delete;

    virtual void execute();

protected:
    InferenceJob(RunRequest request, const RunContext& context, const char* activity);

    virtual Status perform() = 0; // up to the last token
    virtual Status finish(const Status& outcome) = 0; // an error means that there is no run
    void putRun(Run run); // once it is stored
    void putError(const Error& error);

    const RunRequest m_request;
    const RunContext m_context;
    std::unique_ptr<Activity> m_activity; // may be null
    std::unique_ptr<StoreWriter> m_store; // null: the run is not stored
    RunPower m_power;
    MachineLoad m_load;
    const RunScope m_scope;
    RunInfo m_info; // filled in stage by stage
};

std::unique_ptr<InferenceJob> makeRunJob(const RunRequest& request, const RunContext& context);
std::unique_ptr<InferenceJob> makeServerJob(const RunRequest& request, const RunContext& context);
std::unique_ptr<InferenceJob> makeRecordJob(const RunRequest& request, const RunContext& context);

} // namespace ep::session
