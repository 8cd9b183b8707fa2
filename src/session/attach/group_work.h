// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/server_run.h"
#include "power/server_process.h"

#include "ep/session/request_recorder.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace ep::session {

// Load of the machine while a group is served. Reading it takes milliseconds, so the job threads
// do it rather than a request.
struct GroupLoad {
    explicit GroupLoad(const Backend& backend)
        : machine(systemLoadClocks(backend))
    {
    }

    std::unique_ptr<ServerProcess> process;
    MachineLoad machine;
};

// Requests that overlapped, or one that was alone, and what was measured meanwhile.
struct GroupWork {
    std::vector<ServerRequest> requests;
    std::vector<RunInfo> infos; // one for each request
    MeasuredPower power;
    std::shared_ptr<GroupLoad> load;
    std::vector<Interruption> interruptions;
    std::filesystem::path database; // of earlier runs; empty: none
};
// A run of each request. Throws nothing: without memory for the runs, each is a failed one that
// says so.
std::vector<Run> runsOf(GroupWork work);

RequestFigures figuresOf(const Run& run);

} // namespace ep::session
