// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/import_power.h"

#include "import/recorded_energy.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/metrics.h"
#include "ep/core/uuid.h"
#include "ep/energy/attribute.h"
#include "ep/energy/quality.h"
#include "ep/energy/server_rules.h"
#include "ep/session/environment.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ep::session {

namespace {

using powerlog::Clock;
using powerlog::Request;
using powerlog::RequestLog;
using powerlog::Weight;

Nanoseconds toNs(double seconds)
{
    return std::llround(seconds * 1e9);
}

TimeRange hullOf(const std::vector<RunRail>& rails)
{
    TimeRange hull{std::numeric_limits<Nanoseconds>::max(),
                   std::numeric_limits<Nanoseconds>::min()};
    for (const RunRail& rail : rails) {
        hull.begin_ns = std::min(hull.begin_ns, rail.recorded->windows.front().begin_ns);
        hull.end_ns = std::max(hull.end_ns, rail.recorded->windows.back().end_ns);
    }
    return hull;
}

TimeRange hullOf(const RequestLog& log)
{
    TimeRange hull{log.requests.front().begin_ns, log.requests.front().end_ns};
    for (const Request& request : log.requests) {
        hull.begin_ns = std::min(hull.begin_ns, request.begin_ns);
        hull.end_ns = std::max(hull.end_ns, request.end_ns);
    }
    return hull;
}

TimeRange moved(const TimeRange& range, Nanoseconds by)
{
    return {range.begin_ns + by, range.end_ns + by};
}

std::string zoneText(int quarters)
{
    // What was added makes UTC of the local time.
    const int minutes = -15 * quarters;
    const int size = std::abs(minutes);
    const auto two = [](int value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    return "UTC" + std::string(minutes < 0 ? "-" : "+") + two(size / 60) + ":" + two(size % 60);
}

// The zone of a log without one: the only one in which it lies over the requests.
Result<Nanoseconds> findZone(const TimeRange& power, const TimeRange& requests,
                             std::vector<std::string>& notes)
{
    constexpr int kFarthest = 56; // quarters of an hour
    constexpr Nanoseconds kQuarter = 900'000'000'000;
    constexpr double kMinInside = 0.8;
    const double shorter =
        static_cast<double>(std::min(power.duration_ns(), requests.duration_ns()));
    std::vector<int> fitting;
    for (int quarters = -kFarthest; quarters <= kFarthest; ++quarters) {
        const auto both = intersection(moved(power, quarters * kQuarter), requests);
        if (static_cast<double>(both.duration_ns()) >= kMinInside * shorter && shorter > 0.0)
            fitting.push_back(quarters);
    }
    if (fitting.size() != 1)
        return Error{
            ErrorCode::InvalidInput,
            fitting.empty()
                ? "The requests lie outside the recording of power in every time zone; "
                  "state the difference of the clocks (--offset)."
                : "The recording of power states no time zone, and the requests lie inside "
                  "it in several; state the time zone (--zone)."};
    if (fitting.front() != 0)
        notes.push_back("The times of the power have no zone; they lie over the requests only in "
                        + zoneText(fitting.front()) + ", which was used.");
    return fitting.front() * kQuarter;
}

// The load of the requests, for the alignment of the clocks.
std::vector<TimeRange> loadOf(const RequestLog& log)
{
    std::vector<TimeRange> load;
    for (const Request& request : log.requests)
        load.push_back({request.begin_ns, request.end_ns});
    return load;
}

// What to add to the times of the power.
Result<Nanoseconds> findShift(const PowerImportOptions& options, const std::vector<RunRail>& rails,
                              PowerImport& result)
{
    if (options.offset_s) {
        result.offset = powerlog::ClockOffset{
            .seconds = *options.offset_s, .low_s = *options.offset_s, .high_s = *options.offset_s};
        return toNs(*options.offset_s);
    }
    if (!result.requests)
        return 0;
    const TimeRange power = hullOf(rails);
    const TimeRange requests = hullOf(*result.requests);
    if (options.find_offset) {
        const auto offset =
            powerlog::findClockOffset(rails.front().recorded->windows, loadOf(*result.requests));
        if (!offset)
            return offset.error();
        result.offset = *offset;
        result.notes.push_back("The clock of the power was aligned with the requests by "
                               + formatSignificant(offset->seconds, 6)
                               + " s (95 %: " + formatSignificant(offset->low_s, 6) + " to "
                               + formatSignificant(offset->high_s, 6) + " s, correlation "
                               + formatSignificant(offset->correlation, 2) + ").");
        return toNs(offset->seconds);
    }
    if (result.recording.clock == Clock::Local && result.requests->clock == Clock::Epoch)
        return findZone(power, requests, result.notes);
    if (intersection(power, requests).empty())
        return Error{ErrorCode::InvalidInput,
                     "The requests lie outside the recording of power: their clocks differ; align "
                     "them with --offset auto, or state the difference with --offset SECONDS."};
    return 0;
}

// Requests that overlap in time, by their beginning.
std::vector<std::pair<std::size_t, std::size_t>> clustersOf(const std::vector<Request>& requests)
{
    std::vector<std::pair<std::size_t, std::size_t>> clusters; // [first, last)
    Nanoseconds until = std::numeric_limits<Nanoseconds>::min();
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (clusters.empty() || requests[i].begin_ns >= until)
            clusters.emplace_back(i, i + 1);
        else
            clusters.back().second = i + 1;
        until = std::max(until, requests[i].end_ns);
    }
    return clusters;
}

// The first token belongs to the prefill.
std::optional<std::int64_t> decodedTokens(const Request& request)
{
    if (!request.output_tokens)
        return std::nullopt;
    return std::max<std::int64_t>(0, *request.output_tokens - 1);
}

std::vector<ImportedPhase> phasesOf(const RequestLog& log)
{
    std::vector<ImportedPhase> phases;
    for (const auto& [first, last] : clustersOf(log.requests)) {
        const Request& request = log.requests[first];
        if (last - first == 1) {
            if (!request.first_token_ns)
                continue;
            ImportedPhase phase{.request = first, .phase = Phase::Prefill};
            phase.time = {request.begin_ns, *request.first_token_ns};
            phase.tokens =
                request.uncachedTokens() ? request.uncachedTokens() : request.prompt_tokens;
            if (!phase.time.empty())
                phases.push_back(phase);
            phase.phase = Phase::Decode;
            phase.time = {*request.first_token_ns, request.end_ns};
            // A generation without a prompt decodes all of its tokens.
            phase.tokens = request.begin_ns == *request.first_token_ns ? request.output_tokens
                                                                       : decodedTokens(request);
            if (!phase.time.empty())
                phases.push_back(phase);
            continue;
        }
        ImportedPhase together{.request = first, .requests = last - first};
        together.time = {request.begin_ns, request.end_ns};
        std::int64_t tokens = 0;
        bool known = true;
        for (std::size_t i = first; i < last; ++i) {
            together.time.end_ns = std::max(together.time.end_ns, log.requests[i].end_ns);
            known = known && log.requests[i].output_tokens.has_value();
            tokens += log.requests[i].output_tokens.value_or(0);
        }
        if (known)
            together.tokens = tokens;
        phases.push_back(together);
    }
    return phases;
}

std::string phaseName(const ImportedPhase& phase)
{
    const std::string request = std::to_string(phase.request + 1);
    if (phase.requests > 1)
        return "Requests " + request + " to " + std::to_string(phase.request + phase.requests);
    return "The " + std::string(name(phase.phase)) + " of request " + request;
}

// Energies of the phases. times: what the recording covers, on its own clock.
void fillPhases(const std::vector<RunRail>& rails, Nanoseconds shift, bool poor,
                PowerImport& result)
{
    const TimeRange covered = moved(hullOf(rails), shift);
    for (ImportedPhase& phase : result.phases) {
        const TimeRange inside = intersection(phase.time, covered);
        const Nanoseconds before = std::max<Nanoseconds>(0, covered.begin_ns - phase.time.begin_ns);
        const Nanoseconds after = std::max<Nanoseconds>(0, phase.time.end_ns - covered.end_ns);
        if (inside.empty()) {
            phase.refusal = phaseName(phase) + " lies outside the recording.";
            continue;
        }
        if (before > 0)
            result.notes.push_back(phaseName(phase) + " begins " + formatDuration(before)
                                   + " before the first sample and is cut there.");
        if (after > 0)
            result.notes.push_back(phaseName(phase) + " ends " + formatDuration(after)
                                   + " after the last sample and is cut there.");
        phase.time = inside;
        double joules = 0.0;
        double edge = 0.0;
        bool known = true;
        for (const RunRail& rail : rails) {
            if (!isPartOfTotal(rails, rail.rail))
                continue;
            const auto energy = energyOver(rail.recorded->windows, moved(inside, -shift));
            known = known && energy.has_value();
            if (!energy)
                continue;
            joules += energy->joules;
            edge += energy->edge_joules;
            phase.windows = std::max(phase.windows, energy->whole_windows);
        }
        if (!known)
            phase.refusal = phaseName(phase) + " overlaps a gap of the recording.";
        else if (static_cast<double>(phase.windows) < energy::kMinPhaseWindows)
            phase.refusal = phaseName(phase) + " took " + formatDuration(inside.duration_ns())
                + " and has " + std::to_string(phase.windows)
                + " whole windows of the recording, fewer than ten.";
        else if (poor)
            phase.refusal = "The recording is poor: nothing is derived from it.";
        if (!phase.refusal.empty())
            continue;
        phase.joules = joules;
        phase.edge_joules = edge;
    }
}

// edgeJoules: how much the reading of the windows at the ends changes it.
EnergyValue energyValue(const std::vector<RunRail>& rails, const TimeRange& own,
                        std::optional<double> edgeJoules)
{
    EnergyValue value;
    for (const RunRail& rail : rails) {
        const auto energy = energyOver(rail.recorded->windows, own);
        if (!energy)
            return {};
        auto& sum = value.rails_mj[rail.rail];
        sum = sum.value_or(Millijoules{}) + Millijoules{energy->joules * kMillijoulesPerJoule};
    }
    value.total_mj = totalOf(value.rails_mj);
    if (value.total_mj) {
        value.provenance = Provenance::Imported;
        if (edgeJoules)
            value.sd_mj = Millijoules{*edgeJoules * kMillijoulesPerJoule / 2.0};
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
    record.notes = result.notes;
    constexpr std::int64_t kMax = std::numeric_limits<int>::max();
    info.input_tokens = static_cast<int>(std::min(kMax, record.prompt_tokens.value_or(0)));
    info.output_tokens = static_cast<int>(std::min(kMax, record.output_tokens.value_or(0)));
    info.model.name = log.model;
}

// Figures per token over the phases whose energy is known: a request's own, added up.
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
    double seconds = 0.0;
    double tokens = 0.0;
    for (const ImportedPhase& phase : phases) {
        if (phase.phase == Phase::Decode && phase.tokens && phase.requests == 1) {
            seconds += toSeconds(phase.time.duration_ns());
            tokens += static_cast<double>(*phase.tokens);
        }
    }
    metrics.tokens_per_second =
        tokens > 1.0 && seconds > 0.0 ? std::optional(tokens / seconds) : std::nullopt;
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
    // Times of a run count from its first sample.
    const Nanoseconds zero = power.begin_ns;
    const bool epoch = recording.clock != Clock::Own || (result.requests && shift != 0);
    run.info.created_at_ms = epoch && zero > 0 ? zero / 1'000'000 : wallClockMs();
    run.trace.time = moved(time, -zero);
    if (!poor)
        run.trace.samples = samplesOf(rails, shift - zero);
    for (const ImportedPhase& phase : result.phases) {
        const TimeRange inside = intersection(phase.time, time);
        if (inside.empty())
            continue;
        PhaseSpan span{phase.phase, moved(inside, -zero), {}};
        if (phase.joules)
            span.energy = energyValue(rails, moved(phase.time, -shift), phase.edge_joules);
        run.trace.phases.push_back(span);
    }
    if (result.requests)
        describeServer(result, run.info);
    const EnergyValue whole = poor || rails.empty()
        ? EnergyValue{}
        : energyValue(rails, moved(time, -shift), std::nullopt);
    energy::tagPhases(run.trace.samples, run.trace.phases);
    const auto& server = run.info.profiling.server;
    run.metrics =
        computeMetrics(run.trace, run.info.input_tokens, whole, server ? &*server : nullptr);
    if (result.requests)
        figuresPerToken(result.phases, run.metrics);
    describeRecording(options, recording, rails, run);
    for (const std::string& note : result.notes)
        run.info.notes += (run.info.notes.empty() ? "" : "\n") + note;
}

} // namespace

std::optional<double> ImportedPhase::joulesPerToken() const
{
    if (!joules || !tokens || *tokens <= 0)
        return std::nullopt;
    return *joules / static_cast<double>(*tokens);
}

Result<PowerImport> importPower(const PowerImportOptions& options)
{
    PowerImport result;
    if (!options.requests.empty()) {
        auto requests = powerlog::readRequests(options.requests, options.read);
        if (!requests)
            return requests.error();
        result.requests = *std::move(requests);
    }
    auto recording = powerlog::readRecording(options.power, options.read);
    if (!recording)
        return recording.error();
    result.recording = *std::move(recording);
    result.notes = result.recording.notes();
    const bool poor = result.recording.verdict() == Weight::Poor;
    const std::vector<RunRail> rails = runRails(result.recording);
    Nanoseconds shift = 0;
    if (result.requests) {
        for (const powerlog::Finding& finding : result.requests->findings)
            result.notes.push_back(finding.text);
        result.phases = phasesOf(*result.requests);
        if (result.phases.empty())
            result.notes.emplace_back("The requests state no first token, so that prefill and "
                                      "decode cannot be told apart.");
    }
    if (!rails.empty()) {
        const auto found = findShift(options, rails, result);
        if (!found)
            return found.error();
        shift = *found;
        fillPhases(rails, shift, poor, result);
    }
    buildRun(options, rails, shift, result);
    return result;
}

} // namespace ep::session
