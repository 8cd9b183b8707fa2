// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/metrics.h"

#include "ep/core/disturbed_tokens.h"
#include "ep/core/quantile.h"
#include "ep/core/trace_lookup.h"

#include <algorithm>
#include <cmath>

namespace ep {

namespace {

// The 95th percentile of the times from each step to the next.
std::optional<Nanoseconds> interTokenP95(const std::vector<TokenSpan>& steps)
{
    constexpr std::size_t kMin = 20; // with fewer, the maximum would decide
    if (steps.size() <= kMin)
        return std::nullopt;
    std::vector<double> latencies;
    for (std::size_t i = 1; i < steps.size(); ++i)
        latencies.push_back(static_cast<double>(steps[i].time.end_ns - steps[i - 1].time.end_ns));
    std::ranges::sort(latencies);
    return std::llround(quantileOf(latencies, 0.95));
}

// The denominators of the figures per token; 0: unknown.
struct Counts {
    std::int64_t input = 0;
    std::int64_t made = 0;
    std::int64_t decoded = 0; // without the prefill's tokens
};

std::int64_t positive(std::optional<std::int64_t> count)
{
    return std::max<std::int64_t>(0, count.value_or(0));
}

Counts countsOf(const RunTrace& trace, int inputTokens)
{
    return {positive(inputTokens), static_cast<std::int64_t>(outputTokens(trace.tokens)),
            static_cast<std::int64_t>(decodedTokens(trace.tokens))};
}

// The first token ends the prefill.
Counts countsOf(const ServerRecord& server)
{
    const std::int64_t made = positive(server.output_tokens);
    return {positive(server.uncached_tokens), made, made > 0 ? made - 1 : 0};
}

std::optional<Nanoseconds> timeToFirstToken(const RunTrace& trace)
{
    if (!trace.tokens.empty())
        return trace.tokens.front().time.end_ns - trace.time.begin_ns;
    if (const PhaseSpan* decode = findPhase(trace, Phase::Decode))
        return decode->time.begin_ns - trace.time.begin_ns;
    return std::nullopt;
}

// The time from the first to the last token. A server's tokens may lack times of their own.
Nanoseconds decodingTime(const RunTrace& trace, bool byPhase)
{
    if (byPhase) {
        const PhaseSpan* decode = findPhase(trace, Phase::Decode);
        return decode != nullptr ? decode->time.duration_ns() : 0;
    }
    return trace.tokens.empty()
        ? 0
        : trace.tokens.back().time.end_ns - trace.tokens.front().time.end_ns;
}

// inside: the part of the window within the run.
void raise(std::optional<PowerPeak>& peak, std::optional<Milliwatts> power, const TimeRange& inside)
{
    if (power && (!peak || *power > peak->power))
        peak = PowerPeak{*power, inside.begin_ns + inside.duration_ns() / 2};
}

} // namespace

std::optional<double> joulesPer(std::optional<Millijoules> energy, std::int64_t tokens)
{
    if (!energy || tokens <= 0)
        return std::nullopt;
    return energy->value / kMillijoulesPerJoule / static_cast<double>(tokens);
}

void setPerToken(std::int64_t tokens, RunMetrics& metrics)
{
    metrics.joules_per_token = joulesPer(metrics.energy.total_mj, tokens);
    metrics.tokens_per_joule.reset();
    if (metrics.joules_per_token && *metrics.joules_per_token > 0.0)
        metrics.tokens_per_joule = 1.0 / *metrics.joules_per_token;
}

std::optional<Millijoules> decodedEnergy(const TokenSpan& token)
{
    if (token.phase != Phase::Decode || !token.energy.total_mj || token.sequences <= 0)
        return std::nullopt;
    return Millijoules{token.energy.total_mj->value / token.sequences};
}

std::optional<double> energyDelayProduct(std::optional<Millijoules> energy, Nanoseconds duration)
{
    if (!energy)
        return std::nullopt;
    return energy->value / kMillijoulesPerJoule * toSeconds(duration);
}

std::optional<PowerPeak> peakOf(const RunTrace& trace)
{
    std::optional<PowerPeak> peak;
    for (const PowerSample& sample : trace.samples) {
        const TimeRange inside = intersection(sample.window, trace.time);
        if (!inside.empty())
            raise(peak, totalPowerOf(sample), inside);
    }
    return peak;
}

PerRail<PowerPeak> peaksOf(const RunTrace& trace)
{
    PerRail<PowerPeak> peaks;
    for (const PowerSample& sample : trace.samples) {
        const TimeRange inside = intersection(sample.window, trace.time);
        if (inside.empty())
            continue;
        for (std::size_t i = 0; i < kRailCount; ++i)
            raise(peaks.values[i], powerOf(sample, static_cast<Rail>(i)), inside);
    }
    return peaks;
}

std::optional<Milliwatts> peakPower(std::optional<Milliwatts> windows,
                                    std::optional<Milliwatts> mean)
{
    return windows && mean ? std::max(*windows, *mean) : windows;
}

RunMetrics computeMetrics(const RunTrace& trace, int inputTokens, const EnergyValue& energy,
                          const ServerRecord* server)
{
    RunMetrics metrics;
    metrics.duration_ns = trace.time.duration_ns();
    metrics.energy = energy;
    const Counts counts = server != nullptr ? countsOf(*server) : countsOf(trace, inputTokens);
    metrics.time_to_first_token_ns = timeToFirstToken(trace);
    const Nanoseconds decoding = decodingTime(trace, server != nullptr);
    if (counts.decoded > 0 && decoding > 0)
        metrics.tokens_per_second = static_cast<double>(counts.decoded) / toSeconds(decoding);

    metrics.inter_token_p95_ns = interTokenP95(trace.tokens);

    setPerToken(counts.made, metrics);
    if (const PhaseSpan* prefill = findPhase(trace, Phase::Prefill)) {
        metrics.joules_per_input_token = joulesPer(prefill->energy.total_mj, counts.input);
        if (counts.input > 0 && !prefill->time.empty())
            metrics.prefill_tokens_per_second =
                static_cast<double>(counts.input) / toSeconds(prefill->time.duration_ns());
    }
    if (const PhaseSpan* decode = findPhase(trace, Phase::Decode))
        metrics.joules_per_output_token = joulesPer(decode->energy.total_mj, counts.decoded);

    metrics.joules_per_typical_token = joulesPerTypicalToken(trace.tokens);

    if (metrics.energy.total_mj && metrics.duration_ns > 0) {
        metrics.mean_power_mw = meanPower(*metrics.energy.total_mj, metrics.duration_ns);
        metrics.edp_joule_seconds = energyDelayProduct(energy.total_mj, metrics.duration_ns);
    }
    const auto peak = peakOf(trace);
    metrics.peak_power_mw =
        peakPower(peak ? std::optional(peak->power) : std::nullopt, metrics.mean_power_mw);
    return metrics;
}

} // namespace ep
