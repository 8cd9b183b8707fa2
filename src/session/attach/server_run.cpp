// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/server_run.h"

#include "run/answer_marks.h"

#include "ep/attach/plausible.h"
#include "ep/attach/request_phases.h"
#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/metrics.h"
#include "ep/core/uuid.h"
#include "ep/energy/attribute.h"
#include "ep/energy/server_rules.h"
#include "ep/session/environment.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

namespace ep::session {

namespace {

int toInt(const std::optional<std::int64_t>& count)
{
    return static_cast<int>(
        std::min<std::int64_t>(count.value_or(0), std::numeric_limits<int>::max()));
}

// llama.cpp names a model by the path of its file; our engine shows the name without extension.
std::string nameOf(const std::string& model)
{
    if (!model.starts_with('/'))
        return model;
    const std::filesystem::path file(model);
    return (file.extension() == ".gguf" ? file.stem() : file.filename()).string();
}

RunStatus statusOf(const Status& outcome)
{
    if (outcome)
        return RunStatus::Complete;
    return outcome.error().code == ErrorCode::Cancelled ? RunStatus::Cancelled : RunStatus::Failed;
}

// Sections of the answer: from the server's separate reasoning, or the model's marks in the text.
std::vector<Annotation> sectionsOf(const attach::Answer& answer)
{
    if (!answer.streamed || answer.chunks.empty() || !answer.stopped_ns)
        return {};
    text::ThoughtMarks marks({});
    std::vector<TimeRange> times;
    Nanoseconds begin = answer.chunks.front().at_ns; // beginning of the decode
    for (const attach::Chunk& chunk : answer.chunks) {
        marks.add(chunk.text);
        times.push_back({begin, chunk.at_ns});
        begin = chunk.at_ns;
    }
    std::vector<text::AnswerPart> parts = marks.parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (answer.chunks[i].thought)
            parts[i] = text::AnswerPart::Thinking;
    }
    std::vector<Annotation> sections = answerMarks(parts, times);
    if (!sections.empty())
        sections.back().end_ns = std::max(sections.back().end_ns, *answer.stopped_ns);
    return sections;
}

// The text, and below it the tool calls.
std::string responseOf(const attach::Answer& answer)
{
    std::string all; // texts and calls in their order
    for (const attach::Chunk& chunk : answer.chunks) {
        if (!chunk.thought)
            all += chunk.text;
    }
    if (answer.text.empty() || all.size() <= answer.text.size() || !all.starts_with(answer.text))
        return answer.text.empty() ? all : answer.text;
    return answer.text + '\n' + all.substr(answer.text.size());
}

// The run without energies and samples.
Run partsOfRun(RunInfo info, const ServerRequest& request, const TimeRange& idle)
{
    Run run;
    run.info = std::move(info);
    const attach::RequestParts parts = attach::partsOf(request.answer);
    run.trace.time = parts.time;
    if (!idle.empty())
        run.trace.phases.push_back({Phase::Idle, idle, {}});
    run.trace.phases.insert(run.trace.phases.end(), parts.phases.begin(), parts.phases.end());
    run.trace.tokens = parts.tokens;
    ServerRecord& record = *run.info.profiling.server;
    attach::describe(request.answer, parts, record);
    record.notes.insert(record.notes.begin(), request.notes.begin(), request.notes.end());
    if (!request.answer.figures.engine.empty())
        record.engine = request.answer.figures.engine;
    if (run.info.model.name.empty())
        run.info.model.name = nameOf(request.answer.figures.model);
    run.info.response = responseOf(request.answer);
    run.info.annotations = sectionsOf(request.answer);
    run.info.input_tokens = toInt(record.prompt_tokens);
    run.info.output_tokens = toInt(record.output_tokens);
    run.info.status = statusOf(request.outcome);
    run.info.status_message = request.outcome ? Message() : request.outcome.error().message;
    return run;
}

void finishRun(Run& run, const MeasuredPower& power, const MachineLoad& machine,
               const std::vector<Interruption>& interruptions)
{
    if (run.info.power.source != "none") {
        describeQuality(power, machine, run);
        if (!run.info.power.quality->other_cpu_share)
            run.info.profiling.server->notes.emplace_back(
                "The server's own load is not known, because its process was not found or the "
                "request was too short.");
    }
    energy::applyServerRules(run);
    noteInterruptions(run.info, interruptions, run.trace.time.begin_ns);
}

// Tokens of the phases that compute, each with its cost when running alone.
std::vector<energy::SharedPhase> sharedPhases(const std::vector<Run>& runs,
                                              const energy::SoloCosts& solo)
{
    std::vector<energy::SharedPhase> phases;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const ServerRecord& record = *runs[i].info.profiling.server;
        for (const PhaseSpan& phase : runs[i].trace.phases) {
            if (phase.phase == Phase::Prefill)
                phases.push_back({i, phase.time,
                                  static_cast<double>(record.uncached_tokens.value_or(0)),
                                  solo.input_mj});
            else if (phase.phase == Phase::Decode)
                phases.push_back({i, phase.time,
                                  static_cast<double>(std::max<std::int64_t>(
                                      0, record.output_tokens.value_or(0) - 1)),
                                  solo.output_mj});
        }
    }
    return phases;
}

bool countsAreKnown(const std::vector<Run>& runs)
{
    return std::ranges::all_of(runs, [](const Run& run) {
        const ServerRecord& record = *run.info.profiling.server;
        return record.uncached_tokens && record.output_tokens
            && run.info.status == RunStatus::Complete;
    });
}

// Writes the shares in the order in which sharedPhases() listed their phases.
void takeShares(std::vector<Run>& runs, const energy::SharedEnergy& shared)
{
    std::size_t next = 0;
    for (Run& run : runs) {
        EnergyValue& whole = run.metrics.energy;
        whole = {};
        for (PhaseSpan& phase : run.trace.phases) {
            if (phase.phase != Phase::Prefill && phase.phase != Phase::Decode)
                continue;
            phase.energy = {};
            phase.energy.total_mj = Millijoules{shared.phases_mj[next++]};
            phase.energy.provenance =
                shared.modelled ? Provenance::Modelled : Provenance::Attributed;
            whole.total_mj = whole.total_mj.value_or(Millijoules{}) + *phase.energy.total_mj;
            whole.provenance = phase.energy.provenance;
        }
        run.info.profiling.server->group->shared = whole.total_mj.has_value();
        AttributionRecord record;
        record.note = "its share of overlapping requests by tokens in flight";
        run.info.power.attribution = record;
    }
}

} // namespace

RunInfo describeRequest(const ServerRequest& request)
{
    RunInfo info;
    info.id = makeUuid();
    // Time of the request: the proxy describes requests later, several at once.
    const Nanoseconds asked = request.answer.asked_ns;
    info.created_at_ms = wallClockMs() - (asked > 0 ? (monotonicNow() - asked) / kNsPerMs : 0);
    info.prompt = request.prompt;
    info.conversation = request.conversation;
    info.max_new_tokens = request.max_tokens;
    info.depth = Depth::None;
    info.device = "server";
    info.model.path = request.model;
    info.model.name = nameOf(request.model);
    info.power.source = "none";
    info.environment = readEnvironment();
    info.profiling.clock_note = "times are those of arrival and the server's own";
    ServerRecord& record = info.profiling.server.emplace();
    record.engine = request.engine;
    record.dialect = request.dialect;
    record.address = request.address;
    record.endpoint = request.endpoint;
    record.way = request.way;
    return info;
}

void checkCounts(ServerRequest& request)
{
    const attach::Answer& answer = request.answer;
    const auto dropped = attach::dropImplausible(
        request.answer.figures,
        {.most_output = std::int64_t{request.max_tokens} * request.sequences,
         .duration_ns = std::max<Nanoseconds>(0, answer.ended_ns - answer.asked_ns),
         .parts = answer.chunks.size()});
    request.notes.insert(request.notes.end(), dropped.begin(), dropped.end());
}

Run assembleServerRun(RunInfo info, const ServerRequest& request, MeasuredPower power,
                      const MachineLoad& machine, const std::vector<Interruption>& interruptions)
{
    if (!request.reached) // the samples do not belong to this request
        power.samples.clear();
    Run run = partsOfRun(std::move(info), request, power.idle);
    run.info.power = power.info;
    takeSamples(power, interruptions, run.trace);
    measureBaseline(power, run);
    energy::attribute(run, {.method = AttributionMethod::Time, .align = true});
    finishRun(run, power, machine, interruptions);
    return run;
}

std::vector<Run> assembleGroup(RequestGroup group, const MeasuredPower& power,
                               const MachineLoad& machine,
                               const std::vector<Interruption>& interruptions)
{
    std::vector<Run> runs;
    TimeRange time{std::numeric_limits<Nanoseconds>::max(), 0};
    for (std::size_t i = 0; i < group.requests.size(); ++i) {
        Run& run =
            runs.emplace_back(partsOfRun(std::move(group.infos[i]), group.requests[i], power.idle));
        run.info.power = power.info;
        MeasuredPower own = power;
        if (!group.requests[i].reached)
            own.samples.clear();
        takeSamples(own, interruptions, run.trace);
        measureBaseline(power, run);
        time.begin_ns = std::min(time.begin_ns, run.trace.time.begin_ns);
        time.end_ns = std::max(time.end_ns, run.trace.time.end_ns);
    }
    std::vector<energy::SharedPhase> phases;
    if (group.solo && countsAreKnown(runs))
        phases = sharedPhases(runs, *group.solo);
    const auto shared = energy::shareEnergy(runs.front().trace.samples, time, phases);
    for (Run& run : runs) {
        run.info.profiling.server->group =
            ServerGroup{.id = runs.front().info.id,
                        .requests = static_cast<std::int64_t>(runs.size()),
                        .duration_ns = time.duration_ns(),
                        .energy_mj = shared ? std::optional(shared->total_mj) : std::nullopt};
        energy::tagPhases(run.trace.samples, run.trace.phases);
    }
    if (shared && !phases.empty())
        takeShares(runs, *shared);
    for (Run& run : runs) {
        run.metrics = computeMetrics(run.trace, run.info.input_tokens, run.metrics.energy,
                                     &*run.info.profiling.server);
        finishRun(run, power, machine, interruptions);
    }
    return runs;
}

} // namespace ep::session
