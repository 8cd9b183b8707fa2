// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/group_work.h"

#include "attach/solo_costs.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace ep::session {

namespace {

// The engine's name, as in the runs of the server.
const std::string& engineOf(const ServerRequest& request)
{
    const std::string& stated = request.answer.figures.engine;
    return stated.empty() ? request.engine : stated;
}

std::vector<Run> madeRuns(GroupWork work)
{
    if (work.requests.size() == 1) {
        std::vector<Run> runs;
        runs.push_back(assembleServerRun(std::move(work.infos.front()), work.requests.front(),
                                         std::move(work.power), work.load->machine,
                                         work.interruptions));
        return runs;
    }
    const std::string model = work.requests.front().model;
    const bool oneModel = std::ranges::all_of(
        work.requests, [&](const ServerRequest& one) { return one.model == model; });
    auto solo = oneModel
        ? soloCosts(work.database, engineOf(work.requests.front()), work.infos.front().model.name)
        : std::nullopt;
    return assembleGroup({std::move(work.infos), std::move(work.requests), solo}, work.power,
                         work.load->machine, work.interruptions);
}

// What is left of a run that there was no memory for.
Run bareRun(const RunInfo& info)
{
    Run run;
    run.info.id = info.id;
    run.info.created_at_ms = info.created_at_ms;
    run.info.model.name = info.model.name;
    run.info.device = info.device;
    run.info.power.source = info.power.source;
    run.info.profiling.server = info.profiling.server;
    run.info.status = RunStatus::Failed;
    run.info.status_message = "There was not enough memory to make the run of this request.";
    return run;
}

} // namespace

std::vector<Run> runsOf(GroupWork work)
{
    std::vector<Run> bare;
    for (const RunInfo& info : work.infos)
        bare.push_back(bareRun(info));
    try {
        return madeRuns(std::move(work));
    } catch (const std::exception&) {
        return bare;
    }
}

RequestFigures figuresOf(const Run& run)
{
    const bool counted = run.info.input_tokens > 0 && run.info.output_tokens > 0;
    return {.metrics = run.metrics,
            .tokens = counted ? run.info.input_tokens + run.info.output_tokens : 0,
            .run_id = run.info.id,
            .power_source = run.info.power.source};
}

} // namespace ep::session
