// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/server_rules.h"

#include "ep/core/format.h"
#include "ep/core/message.h"
#include "ep/core/metrics.h"
#include "ep/core/quantile.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace ep::energy {

namespace {

std::optional<Nanoseconds> medianWindow(const RunTrace& trace)
{
    std::vector<double> lengths;
    for (const PowerSample& sample : trace.samples) {
        if (!sample.window.empty())
            lengths.push_back(static_cast<double>(sample.window.duration_ns()));
    }
    if (lengths.empty())
        return std::nullopt;
    std::ranges::sort(lengths);
    return static_cast<Nanoseconds>(quantileOf(lengths, 0.5));
}

void dropTokens(RunTrace& trace)
{
    for (TokenSpan& token : trace.tokens)
        token.energy = {};
}

void dropParts(RunTrace& trace)
{
    for (PhaseSpan& phase : trace.phases) {
        if (phase.phase != Phase::Idle)
            phase.energy = {};
    }
    dropTokens(trace);
}

std::optional<Message> wholeRefusal(const Run& run, const ServerRecord& server)
{
    if (server.group && !server.group->shared) {
        return Message("It overlapped with other requests: together the %1 used %2, which cannot "
                       "be shared before single requests to this model have been measured.",
                       server.group->requests,
                       server.group->energy_mj ? formatEnergy(Millijoules{*server.group->energy_mj})
                                               : "an unknown energy");
    }
    const auto& quality = run.info.power.quality;
    if (quality && quality->other_cpu_share && *quality->other_cpu_share > kMaxOtherLoad) {
        return Message("Other programs used %1 of the processor, more than %2: the energy is not "
                       "the server's.",
                       formatPercent(*quality->other_cpu_share), formatPercent(kMaxOtherLoad));
    }
    return std::nullopt;
}

std::optional<Message> partsRefusal(const Run& run, const ServerRecord& server)
{
    if (run.info.status == RunStatus::Failed || run.info.status == RunStatus::Cancelled)
        return "The answer ended without the server's final message, so phases and tokens are "
               "unknown.";
    if (!server.decode_ns || !server.client_decode_ns)
        return std::nullopt;
    const Nanoseconds difference = std::abs(*server.decode_ns - *server.client_decode_ns);
    const double most = std::max(static_cast<double>(kMaxClockDifference),
                                 kMaxClockDifferenceShare * static_cast<double>(*server.decode_ns));
    if (static_cast<double>(difference) <= most)
        return std::nullopt;
    return Message(
        "The decode took %1 here, but %2 by the server: the phases cannot be told apart.",
        formatDuration(*server.client_decode_ns), formatDuration(*server.decode_ns));
}

void dropShortPhases(RunTrace& trace, ServerRecord& server)
{
    const auto window = medianWindow(trace);
    if (!window)
        return;
    for (PhaseSpan& phase : trace.phases) {
        const double windows =
            static_cast<double>(phase.time.duration_ns()) / static_cast<double>(*window);
        // 1 s may count as ten windows of 100 ms even if it is slightly shorter.
        constexpr double kRounding = 0.05;
        if (phase.phase == Phase::Idle || windows >= kMinPhaseWindows - kRounding)
            continue;
        if (windows >= 1.0 || phase.phase == Phase::Prefill || phase.phase == Phase::Decode)
            server.refusals.push_back(
                Message("The phase %1 took %2, less than ten windows of the power source (%3).",
                        name(phase.phase), formatDuration(phase.time.duration_ns()),
                        formatDuration(*window)));
        phase.energy = {};
        if (phase.phase == Phase::Decode)
            dropTokens(trace);
    }
}

} // namespace

void applyServerRules(Run& run)
{
    if (!run.info.profiling.server)
        return;
    ServerRecord& server = *run.info.profiling.server;
    if (run.trace.samples.empty())
        return;
    server.refusals.clear();
    EnergyValue energy = run.metrics.energy;
    if (const auto whole = wholeRefusal(run, server)) {
        server.refusals.push_back(*whole);
        energy = {};
        dropParts(run.trace);
    } else if (const auto parts = partsRefusal(run, server)) {
        server.refusals.push_back(*parts);
        dropParts(run.trace);
    } else {
        dropShortPhases(run.trace, server);
    }
    run.metrics = computeMetrics(run.trace, run.info.input_tokens, energy, &server);
}

} // namespace ep::energy
