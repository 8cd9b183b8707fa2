// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/import_power.h"

#include "import/recorded_energy.h"

#include "ep/core/clock.h"
#include "ep/core/enum_words.h"
#include "ep/core/format.h"
#include "ep/core/metrics.h"
#include "ep/core/uuid.h"
#include "ep/energy/attribute.h"
#include "ep/energy/quality.h"
#include "ep/energy/server_rules.h"
#include "ep/json/document.h"
#include "ep/session/environment.h"

#include <QDateTime>
#include <QTimeZone>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

std::string zoneText(int quarters)
{
    // Adding the shift turns local time into UTC, so the zone's offset is its negative.
    const int minutes = -15 * quarters;
    const int size = std::abs(minutes);
    const auto two = [](int value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    return "UTC" + std::string(minutes < 0 ? "-" : "+") + two(size / 60) + ":" + two(size % 60);
}

TimeRange moved(const TimeRange& range, Nanoseconds by)
{
    return {range.begin_ns + by, range.end_ns + by};
}

// The zone of a log that states none: the only one for which it overlaps the requests.
Result<Nanoseconds> findZone(const TimeRange& power, const TimeRange& requests,
                             std::vector<Message>& notes)
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
        notes.push_back(Message("The times of the power have no zone; they lie over the requests "
                                "only in %1, which was used.",
                                zoneText(fitting.front())));
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

// The shift that converts times of the power to times of the requests: the stated or detected
// difference, plus the time zone if the recording has none. Sets the offset of `result` and adds
// notes. An error if the requests lie elsewhere, or if two shifts fit.
Result<Nanoseconds> findShift(const PowerImportOptions& options, const std::vector<RunRail>& rails,
                              PowerImport& result)
{
    Nanoseconds stated = 0;
    if (options.offset_s) {
        result.offset = powerlog::ClockOffset{
            .seconds = *options.offset_s, .low_s = *options.offset_s, .high_s = *options.offset_s};
        stated = toNs(*options.offset_s);
    }
    if (!result.requests)
        return stated;
    const TimeRange power = moved(hullOf(rails), stated);
    const TimeRange requests = hullOf(*result.requests);
    if (options.find_offset) {
        const auto offset =
            powerlog::findClockOffset(rails.front().recorded->windows, loadOf(*result.requests));
        if (!offset)
            return offset.error();
        result.offset = *offset;
        result.notes.push_back(Message(
            "The clock of the power was aligned with the requests by %1 s (95 %: %2 to %3 s, "
            "correlation %4).",
            formatSignificant(offset->seconds, 6), formatSignificant(offset->low_s, 6),
            formatSignificant(offset->high_s, 6), formatSignificant(offset->correlation, 2)));
        return toNs(offset->seconds);
    }
    const bool overlap = !intersection(power, requests).empty();
    // A difference that the user states may include the difference of the zones.
    if (result.recording.clock == Clock::Local && result.requests->clock == Clock::Epoch
        && !(options.offset_s && overlap)) {
        const auto zone = findZone(power, requests, result.notes);
        if (!zone)
            return zone.error();
        result.zone_ns = *zone;
        if (*zone != 0)
            std::erase(result.notes, powerlog::readAsUtc());
        return *zone + stated;
    }
    if (!overlap)
        return Error{ErrorCode::InvalidInput,
                     "The requests lie outside the recording of power: their clocks differ; align "
                     "them with --offset auto, or state the difference with --offset SECONDS."};
    return stated;
}

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
    record.notes = result.notes;
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
    const powerlog::Rule rule = rails.empty() ? powerlog::Rule::Trapezoid : rails[0].recorded->rule;
    power.detail = sequence(
        {recording.format_title, options.power.filename().string(), powerlog::title(rule)}, ", ");
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

// Fills result.run from the recording, the requests and the phases of `result`. shift: has been
// added to the times of the power.
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
    run.info.notes = sequence(result.notes, "\n");
}

// Groups of requests that overlap in time, by their beginning.
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

Message phaseName(const ImportedPhase& phase)
{
    const std::string request = std::to_string(phase.request + 1);
    if (phase.requests > 1)
        return Message("Requests %1 to %2", request, phase.request + phase.requests);
    return Message("The %1 of request %2", name(phase.phase), request);
}

// Fills in the phases' energies. times: the range that the recording covers, on its own clock.
void fillPhases(const std::vector<RunRail>& rails, Nanoseconds shift, bool poor,
                PowerImport& result)
{
    const TimeRange covered = moved(hullOf(rails), shift);
    for (ImportedPhase& phase : result.phases) {
        const TimeRange inside = intersection(phase.time, covered);
        const Nanoseconds before = std::max<Nanoseconds>(0, covered.begin_ns - phase.time.begin_ns);
        const Nanoseconds after = std::max<Nanoseconds>(0, phase.time.end_ns - covered.end_ns);
        if (inside.empty()) {
            phase.refusal = Message("%1 lies outside the recording.", phaseName(phase));
            continue;
        }
        if (before > 0)
            result.notes.push_back(Message("%1 begins %2 before the first sample and is cut there.",
                                           phaseName(phase), formatDuration(before)));
        if (after > 0)
            result.notes.push_back(Message("%1 ends %2 after the last sample and is cut there.",
                                           phaseName(phase), formatDuration(after)));
        phase.time = inside;
        RangeEnergy sum;
        bool known = true;
        for (const RunRail& rail : rails) {
            if (!isPartOfTotal(rails, rail.rail))
                continue;
            const auto energy = energyOver(*rail.recorded, moved(inside, -shift));
            known = known && energy.has_value();
            if (energy)
                sum += *energy;
        }
        phase.windows = sum.whole_windows;
        if (!known)
            phase.refusal = Message("%1 overlaps a gap of the recording.", phaseName(phase));
        else if (static_cast<double>(phase.windows) < energy::kMinPhaseWindows)
            phase.refusal =
                Message("%1 took %2 and has %3 whole windows of the recording, fewer than ten.",
                        phaseName(phase), formatDuration(inside.duration_ns()), phase.windows);
        else if (poor)
            phase.refusal = "The recording is poor: nothing is derived from it.";
        if (!phase.refusal.empty())
            continue;
        phase.joules = sum.joules;
        phase.edge_joules = kHalfInterval95 * sum.deviation();
    }
}

using ImportJson = json::OrderedJson;

constexpr std::array kClockNames{"epoch", "local", "own"}; // in the order of powerlog::Clock

ImportJson railsJson(const powerlog::Recording& recording)
{
    ImportJson rails = ImportJson::object();
    for (const powerlog::RailRecording& rail : recording.rails) {
        rails[rail.name] = {{"joules", rail.poor ? ImportJson() : ImportJson(rail.joules)},
                            {"joules_as_read", rail.joules},
                            {"rule", powerlog::name(rail.rule)},
                            {"samples", rail.samples},
                            {"unavailable", rail.unavailable},
                            {"covered_s", rail.covered_s},
                            {"least_w", rail.least_w},
                            {"most_w", rail.most_w},
                            {"part", rail.part}};
    }
    return rails;
}

ImportJson phasesJson(const PowerImport& imported)
{
    ImportJson phases = ImportJson::array();
    for (const ImportedPhase& phase : imported.phases) {
        // Writes the figure under the name that it has in the API; the other names are null.
        const auto perToken = [&](bool here) {
            return here ? phase.joulesPerToken() : std::nullopt;
        };
        const bool together = phase.requests > 1;
        phases.push_back(
            {{"request", phase.request + 1},
             {"requests", phase.requests},
             {"phase", std::string(name(phase.phase))},
             {"begin", static_cast<double>(phase.time.begin_ns) * 1e-9},
             {"seconds", toSeconds(phase.time.duration_ns())},
             {"tokens", phase.tokens},
             {"windows", phase.windows},
             {"joules", phase.joules},
             {"edge_joules", phase.joules ? ImportJson(phase.edge_joules) : ImportJson()},
             {"joules_per_token", perToken(together)},
             {"joules_per_input_token", perToken(!together && phase.phase == Phase::Prefill)},
             {"joules_per_output_token", perToken(!together && phase.phase == Phase::Decode)},
             {"refusal", phase.refusal}});
    }
    return phases;
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

std::string importedPowerJson(const PowerImport& imported, bool stored)
{
    const powerlog::Recording& recording = imported.recording;
    ImportJson json;
    json["format"] = recording.format;
    json["format_title"] = recording.format_title;
    json["rows"] = recording.rows;
    json["first"] = static_cast<double>(recording.first_ns + imported.zone_ns) * 1e-9;
    json["last"] = static_cast<double>(recording.last_ns + imported.zone_ns) * 1e-9;
    json["clock"] = wordOf(kClockNames, recording.clock);
    json["rails"] = railsJson(recording);
    json["columns"] = ImportJson::array();
    for (const powerlog::ColumnUse& column : recording.columns)
        json["columns"].push_back({{"header", column.header}, {"meaning", column.meaning}});
    json["notes"] = imported.notes;
    json["verdict"] = powerlog::verdictName(recording.verdict());
    json["offset"] = imported.offset ? ImportJson({{"seconds", imported.offset->seconds},
                                                   {"low_s", imported.offset->low_s},
                                                   {"high_s", imported.offset->high_s},
                                                   {"correlation", imported.offset->correlation}})
                                     : ImportJson();
    json["requests"] = imported.requests
        ? ImportJson({{"format", imported.requests->format},
                      {"model", imported.requests->model},
                      {"count", imported.requests->requests.size()}})
        : ImportJson();
    json["phases"] = phasesJson(imported);
    json["run"] = stored ? ImportJson(imported.run.info.id) : ImportJson();
    return json::textOf(json, 2) + '\n';
}

Result<std::function<double(double)>> zoneFrom(const std::string& zone)
{
    const QString text = QString::fromStdString(zone).trimmed();
    if (text.compare(QStringLiteral("UTC"), Qt::CaseInsensitive) == 0
        || text.compare(QStringLiteral("Z"), Qt::CaseInsensitive) == 0)
        return std::function<double(double)>([](double local) { return local; });
    // "+02:00", "-0700", "+2"
    if (text.startsWith(u'+') || text.startsWith(u'-')) {
        QString digits = text.mid(1);
        digits.remove(u':');
        bool valid = false;
        const int number = digits.toInt(&valid);
        const int hours = digits.size() <= 2 ? number : number / 100;
        const int minutes = digits.size() <= 2 ? 0 : number % 100;
        if (valid && digits.size() <= 4 && hours <= 14 && minutes < 60) {
            const double seconds = (text.startsWith(u'-') ? -60.0 : 60.0) * (hours * 60 + minutes);
            return std::function<double(double)>(
                [seconds](double local) { return local - seconds; });
        }
    }
    // QTimeZone takes any word as the name of a zone without an offset ("Mars"), so only names that
    // it lists count, and older names with a slash, which it does not list everywhere.
    const QByteArray id = text.toUtf8();
    const QTimeZone known(id);
    const bool named =
        QTimeZone::isTimeZoneIdAvailable(id) || (id.contains('/') && !id.contains(','));
    if (!known.isValid() || !named)
        return Error{
            ErrorCode::InvalidInput,
            {"“%1” is not a time zone; write +02:00, UTC or a name such as Europe/Berlin.", zone}};
    // A recording may have millions of rows, and an offset changes only at full quarters of an
    // hour, so the last answer is kept.
    struct Cache {
        double quarter = -1.0;
        double seconds = 0.0;
    };
    return std::function<double(double)>([known, cache = Cache{}](double local) mutable {
        const double quarter = std::floor(local / 900.0);
        if (quarter != cache.quarter) {
            const QDateTime wall =
                QDateTime::fromSecsSinceEpoch(static_cast<qint64>(local), Qt::UTC);
            const QDateTime there(wall.date(), wall.time(), known);
            cache = {quarter, static_cast<double>(there.offsetFromUtc())};
        }
        return local - cache.seconds;
    });
}

} // namespace ep::session
