// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/measured_power.h"

#include "ep/core/run.h"
#include "ep/energy/share.h"
#include "ep/session/server_request.h"

#include <optional>
#include <vector>

namespace ep::session {

// The facts that are known when the request is sent.
RunInfo describeRequest(const ServerRequest& request);

// Removes impossible counts from the answer and adds notes that say so.
void checkCounts(ServerRequest& request);

// The run of a single request: phases and tokens as the server reports them, energies from the
// samples, without those that the rules refuse (energy/server_rules.h).
Run assembleServerRun(RunInfo info, const ServerRequest& request, MeasuredPower power,
                      const MachineLoad& machine, const std::vector<Interruption>& interruptions);

// Overlapping requests to one model, from the start of the first to the end of the last.
struct RequestGroup {
    std::vector<RunInfo> infos; // one for each request
    std::vector<ServerRequest> requests;
    std::optional<energy::SoloCosts> solo; // absent: no single request has been measured yet
};
std::vector<Run> assembleGroup(RequestGroup group, const MeasuredPower& power,
                               const MachineLoad& machine,
                               const std::vector<Interruption>& interruptions);

} // namespace ep::session
