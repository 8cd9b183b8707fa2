// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/group_work.h"

#include "ep/core/quantile.h"
#include "ep/energy/share.h"
#include "ep/store/store.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ep::session {
namespace {

constexpr std::size_t kMaxRuns = 20;

std::optional<double> median(std::vector<double> joules)
{
    if (joules.empty())
        return std::nullopt;
    std::ranges::sort(joules);
    return quantileOf(joules, 0.5);
}

// Median costs of the newest stored runs of single requests to this engine and model whose phases
// were long enough to be measured; absent if there are none. Reads the database; any thread.
std::optional<energy::SoloCosts> soloCosts(const std::filesystem::path& database,
                                           const std::string& engine, const std::string& model)
{
    std::error_code ignored;
    if (database.empty() || !std::filesystem::exists(database, ignored))
        return std::nullopt;
    const auto store = store::Store::open(database, store::Store::Mode::ReadOnly);
    if (!store)
        return std::nullopt;
    RunFilter filter;
    filter.models = {model};
    filter.statuses = {"complete"};
    const auto runs = (*store)->list(filter); // newest first
    if (!runs)
        return std::nullopt;
    std::vector<double> input;
    std::vector<double> output;
    const auto take = [](std::vector<double>& values, const std::optional<double>& value) {
        if (value && values.size() < kMaxRuns)
            values.push_back(*value);
    };
    for (const RunSummary& run : *runs) {
        const auto& server = run.info.profiling.server;
        if (!server || server->group || server->engine != engine)
            continue;
        take(input, run.metrics.joules_per_input_token);
        take(output, run.metrics.joules_per_output_token);
    }
    const auto in = median(std::move(input));
    const auto out = median(std::move(output));
    if (!in || !out)
        return std::nullopt;
    return energy::SoloCosts{*in * kMillijoulesPerJoule, *out * kMillijoulesPerJoule};
}

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
