// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/import_power.h"

#include "import/imported_run.h"
#include "import/power_shift.h"

#include "ep/core/format.h"
#include "ep/energy/server_rules.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ep::session {

namespace {

using powerlog::Request;
using powerlog::RequestLog;
using powerlog::Weight;

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

// Fills in the phases' energies. times: what the recording covers, on its own clock.
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
