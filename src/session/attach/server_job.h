// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/server_run.h"
#include "power/server_process.h"
#include "run/run_scope.h"

#include "ep/attach/dialect.h"
#include "ep/attach/endpoint.h"
#include "ep/text/thought_marks.h"

#include <memory>
#include <optional>

namespace ep::session {

// One request to a user's server, from the question to the stored run, on the inference thread;
// RunJob does the same with our engine. Puts exactly one RunFinished or RunFailed into the outbox,
// last: a request that was sent always makes a run.
class ServerJob {
public:
    ServerJob(const RunRequest& request, const RunContext& context);

    void execute();

private:
    Status perform(); // up to the last byte of the answer
    Status findServer();
    Status settle(); // power source, idle baseline, warm-up
    Status ask();
    Status send(int maxTokens, attach::AnswerReader& reader, bool watched);
    void tell(const attach::Answer& answer);
    std::string_view sectionOf(const attach::Chunk& chunk);
    void finish(const Status& outcome);
    Run assemble(const Status& outcome);

    const RunRequest m_request;
    const RunContext m_context;
    std::unique_ptr<Activity> m_activity; // may be null
    std::unique_ptr<StoreWriter> m_store; // null: the run is not stored
    RunPower m_power;
    MachineLoad m_machine;
    const RunScope m_scope;
    attach::Endpoint m_endpoint;
    const attach::Dialect* m_dialect = nullptr;
    ServerRequest m_asked;
    std::string m_sent_model; // in the name that the server uses
    RunInfo m_info;
    std::optional<ServerProcess> m_process;
    ClockWatch m_clocks;
    std::size_t m_told = 0; // number of chunks passed to the observers
    text::ThoughtMarks m_marks{{}}; // thoughts in the chunks
    bool m_thought = false; // whether any chunk was a thought
    bool m_sent = false;
};

} // namespace ep::session
