// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/clock_watch.h"
#include "power/command_tree.h"
#include "recorded/child_process.h"
#include "recorded/polite_stop.h"
#include "recorded/span_listener.h"
#include "run/run_scope.h"

#include <memory>
#include <optional>

namespace ep::session {

// Runs a user's command beside the power sampler, from its start to the stored run, on the
// inference thread; RunJob does the same with our engine. Puts exactly one RunFinished or
// RunFailed into the outbox, last: a command that was started always makes a run.
class RecordJob {
public:
    RecordJob(const RunRequest& request, const RunContext& context);

    void execute();

private:
    Status perform(); // until the command has ended
    Status startCommand();
    void follow();
    void watch(); // one look at the running command
    void passSignals();
    void look(Nanoseconds now);
    void tell(std::vector<spans::Step> steps);
    ChildSpec commandSpec() const;
    void finish(const Status& outcome);
    Run assemble();
    void describeEnd(RunInfo& info);

    const RunRequest m_request;
    const RunContext m_context;
    std::unique_ptr<Activity> m_activity; // may be null
    std::unique_ptr<StoreWriter> m_store; // null: the run is not stored
    RunPower m_power;
    MachineLoad m_machine;
    const RunScope m_scope;
    CommandControl& m_control;
    RunInfo m_info;
    SpanListener m_spans;
    std::int32_t m_told = 0; // number of tokens passed to the observers
    ChildProcess m_child;
    std::optional<CommandTree> m_tree;
    PoliteStop m_stop;
    ClockWatch m_clocks;
    Nanoseconds m_lookAt = 0; // when to look at the processes again
    TimeRange m_time;
    std::optional<ChildEnd> m_end;
};

} // namespace ep::session
