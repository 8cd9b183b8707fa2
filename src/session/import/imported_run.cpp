// SPDX-License-Identifier: GPL-3.0-or-later
#include "import/imported_run.h"

#include "import/power_shift.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/metrics.h"
#include "ep/core/uuid.h"
#include "ep/energy/attribute.h"
#include "ep/energy/quality.h"
#include "ep/energy/server_rules.h"
#include "ep/session/environment.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ep::session {

namespace {

using powerlog::Clock;
using powerlog::Request;
using powerlog::RequestLog;
using powerlog::Weight;

// edgeJoules: half the interval that contains the energy in 95 %.
EnergyValue energyValue(const std::vector<RunRail>& rails, const TimeRange& own,
                        std::optional<double> edgeJoules)
{
    EnergyValue value;
    for (const RunRail& rail : rails) {
        const auto energy = energyOver(*rail.recorded, own);
        if (!energy)
            return {};
        auto& sum = value.rails_mj[rail.rail];
        sum = sum.value_or(Millijoules{}) + Millijoules{energy->joules * kMillijoulesPerJoule};
    }
    value.total_mj = totalOf(value.rails_mj);
    if (value.total_mj) {
        value.provenance = Provenance::Imported;
        if (edgeJoules)
            value.sd_mj = Millijoules{*edgeJoules * kMillijoulesPerJoule / kHalfInterval95};
    }
    return value;
}

void describeServer(const PowerImport& result, RunInfo& info)
{
    const RequestLog& log = *result.requests;
    ServerRecord& record = info.profiling.server.emplace();
    record.engine = log.title;
    record.dialect = log.format;
    record.way = "imported";
    const auto sum = [&](auto countOf) -> std::optional<std::int64_t> {
        std::int64_t total = 0;
        for (const Request& request : log.requests) {
            const std::optional<std::int64_t> count = countOf(request);
            if (!count)
                return std::nullopt;
            total += *count;
        }
        return total;
    };
    record.prompt_tokens = sum([](const Request& r) { return r.prompt_tokens; });
    record.cached_tokens = sum([](const Request& r) { return r.cached_tokens; });
    record.uncached_tokens = sum([](const Request& r) { return r.uncachedTokens(); });
    record.output_tokens = sum([](const Request& r) { return r.output_tokens; });
    for (const ImportedPhase& phase : result.phases) {
        if (!phase.refusal.empty())
            record.refusals.push_back(phase.refusal);
    }
    record.notes.assign(result.notes.begin(), result.notes.end());
    constexpr std::int64_t kMax = std::numeric_limits<int>::max();
    info.input_tokens = static_cast<int>(std::min(kMax, record.prompt_tokens.value_or(0)));
    info.output_tokens = static_cast<int>(std::min(kMax, record.output_tokens.value_or(0)));
    info.model.name = log.model;
}

// Figures per token, over the phases of all requests whose energy is known.
void figuresPerToken(const std::vector<ImportedPhase>& phases, RunMetrics& metrics)
{
    const auto over = [&](Phase wanted) -> std::optional<double> {
        double joules = 0.0;
        double tokens = 0.0;
        for (const ImportedPhase& phase : phases) {
            if (phase.phase != wanted || !phase.joules || !phase.tokens || phase.requests > 1)
                continue;
            joules += *phase.joules;
            tokens += static_cast<double>(*phase.tokens);
        }
        return tokens > 0.0 ? std::optional(joules / tokens) : std::nullopt;
    };
    metrics.joules_per_output_token = over(Phase::Decode);
    metrics.joules_per_input_token = over(Phase::Prefill);
    // Only requests that had the server to themselves count.
    const auto speed = [&](Phase kind) -> std::optional<double> {
        double seconds = 0.0;
        double tokens = 0.0;
        for (const ImportedPhase& phase : phases) {
            if (phase.phase == kind && phase.tokens && phase.requests == 1) {
                seconds += toSeconds(phase.time.duration_ns());
                tokens += static_cast<double>(*phase.tokens);
            }
        }
        return tokens > 1.0 && seconds > 0.0 ? std::optional(tokens / seconds) : std::nullopt;
    };
    metrics.tokens_per_second = speed(Phase::Decode);
    metrics.prefill_tokens_per_second = speed(Phase::Prefill);
}

void describeRecording(const PowerImportOptions& options, const powerlog::Recording& recording,
                       const std::vector<RunRail>& rails, Run& run)
{
    PowerInfo& power = run.info.power;
    power.source = kImportedSource;
    power.detail = recording.format_title + ", " + options.power.filename().string();
    const powerlog::Rule rule = rails.empty() ? powerlog::Rule::Trapezoid : rails[0].recorded->rule;
    power.detail += ", " + std::string(powerlog::title(rule));
    power.sample_kind = rule == powerlog::Rule::Trapezoid || rule == powerlog::Rule::Hold
        ? SampleKind::Power
        : SampleKind::Counter;
    power.quality = energy::assessQuality(run.trace, 0);
    const auto verdict = recording.verdict();
    if (verdict == Weight::Note)
        return;
    power.quality->verdict =
        std::max(power.quality->verdict,
                 verdict == Weight::Poor ? QualityVerdict::Poor : QualityVerdict::Fair);
    for (const powerlog::Finding& finding : recording.findings) {
        if (finding.weight != Weight::Note)
            power.quality->reasons.push_back(finding.text);
    }
}

} // namespace

void buildRun(const PowerImportOptions& options, const std::vector<RunRail>& rails,
              Nanoseconds shift, PowerImport& result)
{
    const powerlog::Recording& recording = result.recording;
    const bool poor = recording.verdict() == Weight::Poor;
    Run& run = result.run;
    run.info.id = makeUuid();
    run.info.title = options.power.filename().string();
    run.info.status = RunStatus::Complete;
    run.info.depth = Depth::None;
    run.info.device = "imported";
    run.info.environment.app_version = readEnvironment().app_version;
    run.info.profiling.clock_note = "times are those of the recording";
    TimeRange power{recording.first_ns, recording.last_ns};
    if (!rails.empty())
        power = hullOf(rails);
    power = moved(power, shift);
    TimeRange time = power;
    if (result.requests) {
        const TimeRange both = intersection(hullOf(*result.requests), power);
        time = both.empty() ? power : both;
    }
    // Times of a run are relative to its first sample.
    const Nanoseconds zero = power.begin_ns;
    const bool epoch = recording.clock != Clock::Own || (result.requests && shift != 0);
    run.info.created_at_ms = epoch && zero > 0 ? zero / 1'000'000 : wallClockMs();
    run.trace.time = moved(time, -zero);
    std::vector<Nanoseconds> cuts{run.trace.time.begin_ns, run.trace.time.end_ns};
    for (const ImportedPhase& phase : result.phases) {
        const TimeRange inside = intersection(phase.time, time);
        if (inside.empty())
            continue;
        PhaseSpan span{phase.phase, moved(inside, -zero), {}};
        if (phase.joules)
            span.energy = energyValue(rails, moved(phase.time, -shift), phase.edge_joules);
        run.trace.phases.push_back(span);
        cuts.insert(cuts.end(), {span.time.begin_ns, span.time.end_ns});
    }
    if (!poor && !rails.empty())
        run.trace.samples = samplesOf(rails, shift - zero, cuts);
    if (result.requests)
        describeServer(result, run.info);
    const EnergyValue whole = poor || rails.empty()
        ? EnergyValue{}
        : energyValue(rails, moved(time, -shift), std::nullopt);
    energy::tagPhases(run.trace.samples, run.trace.phases);
    const auto& server = run.info.profiling.server;
    run.metrics =
        computeMetrics(run.trace, run.info.input_tokens, whole, server ? &*server : nullptr);
    if (result.requests) {
        figuresPerToken(result.phases, run.metrics);
        const auto outside =
            std::ranges::count_if(result.requests->requests, [&](const Request& request) {
                return intersection({request.begin_ns, request.end_ns}, power).empty();
            });
        if (outside > 0) {
            run.metrics.joules_per_token.reset();
            run.metrics.tokens_per_joule.reset();
            result.notes.push_back(Message("%1 of %2 requests lie outside the recording, so that "
                                           "its energy per token is not known.",
                                           outside, result.requests->requests.size()));
        }
    }
    describeRecording(options, recording, rails, run);
    for (const std::string note : result.notes)
        run.info.notes += (run.info.notes.empty() ? "" : "\n") + note;
}

} // namespace ep::session
