// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/assemble.h"

#include <memory>
#include <optional>

namespace ep::session {

// One run from loading the model to the stored result, on the inference thread: prepare, settle,
// infer, conclude and assemble, each in a separate file. Puts exactly one RunFinished or RunFailed
// into the outbox, last.
class RunJob {
public:
    RunJob(const RunRequest& request, const RunContext& context);

    void execute();

private:
    Status perform(); // up to the last token
    Status finish(const Status& outcome); // an error means that there is no run
    Run assemble() const;

    const RunRequest m_request;
    const RunContext m_context;
    std::unique_ptr<Activity> m_activity; // may be null
    std::unique_ptr<StoreWriter> m_store; // null: the run is not stored
    RunPower m_power;
    MachineLoad m_load;
    const RunScope m_scope;
    RunInfo m_info; // filled in stage by stage
    std::optional<PreparedRun> m_prepared;
    Rehearsals m_rehearsals;
    std::optional<Recording> m_recording;
};

} // namespace ep::session
