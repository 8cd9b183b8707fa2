// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/metrics.h"

#include "ep/core/trace_lookup.h"
#include "ep/energy/energy_timeline.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

constexpr double kMillijoulesPerJoule = 1000.0;

std::optional<double> joulesPer(const EnergyValue& energy, std::size_t count)
{
    if (!energy.total_mj || count == 0)
        return std::nullopt;
    return energy.total_mj->value / kMillijoulesPerJoule / static_cast<double>(count);
}

// Of the samples that overlap the run; a sample without any rail says nothing.
std::optional<Milliwatts> peakPower(const RunTrace& trace)
{
    std::optional<Milliwatts> peak;
    for (const PowerSample& sample : trace.samples) {
        if (intersection(sample.window, trace.time).empty())
            continue;
        std::optional<Milliwatts> total =
            sample.total_mw ? sample.total_mw : totalOf(sample.power_mw);
        if (const auto energy = totalOf(sample.energy_mj); energy && !total)
            total = meanPower(*energy, sample.window.duration_ns());
        if (total && (!peak || *total > *peak))
            peak = total;
    }
    return peak;
}

} // namespace

RunMetrics computeMetrics(const RunTrace& trace, int inputTokens)
{
    return computeMetrics(trace, inputTokens, EnergyTimeline(trace.samples).over(trace.time));
}

RunMetrics computeMetrics(const RunTrace& trace, int inputTokens, const EnergyValue& energy)
{
    RunMetrics metrics;
    metrics.duration_ns = trace.time.duration_ns();
    metrics.energy = energy;
    metrics.peak_power_mw = peakPower(trace);

    const std::size_t made = outputTokens(trace.tokens);
    const std::size_t decoded = decodedTokens(trace.tokens);
    if (!trace.tokens.empty())
        metrics.time_to_first_token_ns = trace.tokens.front().time.end_ns - trace.time.begin_ns;
    if (decoded > 0) {
        const Nanoseconds decoding =
            trace.tokens.back().time.end_ns - trace.tokens.front().time.end_ns;
        if (decoding > 0)
            metrics.tokens_per_second = static_cast<double>(decoded) / toSeconds(decoding);
    }

    metrics.joules_per_token = joulesPer(metrics.energy, made);
    if (metrics.joules_per_token && *metrics.joules_per_token > 0.0)
        metrics.tokens_per_joule = 1.0 / *metrics.joules_per_token;
    if (const PhaseSpan* prefill = findPhase(trace, Phase::Prefill); prefill && inputTokens > 0)
        metrics.joules_per_input_token =
            joulesPer(prefill->energy, static_cast<std::size_t>(inputTokens));
    if (const PhaseSpan* decode = findPhase(trace, Phase::Decode); decode && decoded > 0)
        metrics.joules_per_output_token = joulesPer(decode->energy, decoded);

    if (metrics.energy.total_mj && metrics.duration_ns > 0) {
        metrics.mean_power_mw = meanPower(*metrics.energy.total_mj, metrics.duration_ns);
        metrics.edp_joule_seconds =
            metrics.energy.total_mj->value / kMillijoulesPerJoule * toSeconds(metrics.duration_ns);
    }
    return metrics;
}

} // namespace ep::energy
