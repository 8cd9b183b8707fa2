// SPDX-License-Identifier: GPL-3.0-or-later
#include "recovery.h"

#include "ep/core/trace_lookup.h"

#include <algorithm>

namespace ep::store {

namespace {

constexpr double kMillijoulesPerJoule = 1000.0;

// The sum of parts; missing as soon as one of them is, of the worst provenance among them.
class EnergySum {
public:
    void add(const EnergyValue& part)
    {
        for (std::size_t rail = 0; rail < kRailCount; ++rail)
            add(m_sum.rails_mj.values[rail], part.rails_mj.values[rail]);
        add(m_sum.total_mj, part.total_mj);
        m_sum.provenance = m_empty ? part.provenance : std::max(m_sum.provenance, part.provenance);
        m_empty = false;
    }

    EnergyValue sum() const
    {
        EnergyValue sum = m_sum;
        if (!sum.total_mj)
            sum.provenance = Provenance::Missing;
        return sum;
    }

private:
    void add(std::optional<Millijoules>& sum, const std::optional<Millijoules>& part) const
    {
        if (m_empty)
            sum = part;
        else if (sum && part)
            *sum += *part;
        else
            sum.reset();
    }

    EnergyValue m_sum;
    bool m_empty = true;
};

// The stretch from the first to the last token of a phase.
void addPhase(RunTrace& trace, Phase phase)
{
    std::optional<TimeRange> time;
    EnergySum energy;
    for (const TokenSpan& token : trace.tokens) {
        if (token.phase != phase)
            continue;
        energy.add(token.energy);
        if (!time)
            time = token.time;
        time->begin_ns = std::min(time->begin_ns, token.time.begin_ns);
        time->end_ns = std::max(time->end_ns, token.time.end_ns);
    }
    if (time)
        trace.phases.push_back({phase, *time, energy.sum()});
}

std::optional<double> joulesPer(const EnergyValue& energy, std::size_t count)
{
    if (!energy.total_mj || count == 0)
        return std::nullopt;
    return energy.total_mj->value / kMillijoulesPerJoule / static_cast<double>(count);
}

std::optional<Milliwatts> peakPower(const RunTrace& trace)
{
    std::optional<Milliwatts> peak;
    for (const PowerSample& sample : trace.samples) {
        if (!intersection(sample.window, trace.time).empty() && sample.total_mw)
            peak = std::max(peak, sample.total_mw);
    }
    return peak;
}

void fillEnergyMetrics(Run& run)
{
    RunMetrics& metrics = run.metrics;
    for (const PhaseSpan& phase : run.trace.phases) {
        if (phase.phase == Phase::Prefill) {
            const auto count = static_cast<std::size_t>(std::max(0, run.info.input_tokens));
            metrics.joules_per_input_token = joulesPer(phase.energy, count);
        } else if (phase.phase == Phase::Decode) {
            metrics.joules_per_output_token =
                joulesPer(phase.energy, decodedTokens(run.trace.tokens));
        }
    }
    metrics.joules_per_token = joulesPer(metrics.energy, outputTokens(run.trace.tokens));
    if (metrics.joules_per_token && *metrics.joules_per_token > 0.0)
        metrics.tokens_per_joule = 1.0 / *metrics.joules_per_token;
    if (metrics.energy.total_mj && metrics.duration_ns > 0) {
        metrics.mean_power_mw = meanPower(*metrics.energy.total_mj, metrics.duration_ns);
        metrics.edp_joule_seconds =
            metrics.energy.total_mj->value / kMillijoulesPerJoule * toSeconds(metrics.duration_ns);
    }
}

} // namespace

void completeInterrupted(Run& run)
{
    run.info.status = RunStatus::Interrupted;
    run.info.status_message =
        "The program ended while this run was going on; what follows was saved before that.";
    RunTrace& trace = run.trace;
    run.metrics = {};
    trace.phases.clear();
    run.info.output_tokens = static_cast<int>(outputTokens(trace.tokens));
    run.info.response.clear();
    if (trace.tokens.empty())
        return;

    EnergySum energy;
    trace.time = trace.tokens.front().time;
    for (const TokenSpan& token : trace.tokens) {
        run.info.response += token.text;
        energy.add(token.energy);
        trace.time.begin_ns = std::min(trace.time.begin_ns, token.time.begin_ns);
        trace.time.end_ns = std::max(trace.time.end_ns, token.time.end_ns);
    }
    addPhase(trace, Phase::Prefill);
    addPhase(trace, Phase::Decode);
    run.metrics.duration_ns = trace.time.duration_ns();
    run.metrics.energy = energy.sum();
    run.metrics.peak_power_mw = peakPower(trace);
    const Nanoseconds decoding = trace.tokens.back().time.end_ns - trace.tokens.front().time.end_ns;
    if (trace.tokens.size() > 1 && decoding > 0) {
        run.metrics.tokens_per_second =
            static_cast<double>(decodedTokens(trace.tokens)) / toSeconds(decoding);
    }
    fillEnergyMetrics(run);
}

} // namespace ep::store
