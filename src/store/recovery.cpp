// SPDX-License-Identifier: GPL-3.0-or-later
#include "recovery.h"

#include "ep/core/metrics.h"
#include "ep/core/tally.h"
#include "ep/core/trace_lookup.h"

#include <algorithm>
#include <array>

namespace ep::store {

namespace {

// The sum of the nodes' energies; for a recovered run, only if complete.
class EnergySum {
public:
    void add(const TimeRange& time, const EnergyValue& part)
    {
        m_total.add(tallyOf(time, part));
        for (std::size_t rail = 0; rail < kRailCount; ++rail)
            m_rails[rail].add(time.duration_ns(), part.rails_mj.values[rail], part.provenance);
    }

    EnergyValue sum() const
    {
        EnergyValue sum;
        sum.total_mj = m_total.complete();
        for (std::size_t rail = 0; rail < kRailCount; ++rail)
            sum.rails_mj.values[rail] = m_rails[rail].complete();
        if (sum.total_mj)
            sum.provenance = m_total.provenance;
        return sum;
    }

private:
    Tally m_total;
    std::array<Tally, kRailCount> m_rails;
};

// Adds the range from the first to the last token of a phase.
void addPhase(RunTrace& trace, Phase phase)
{
    std::optional<TimeRange> time;
    EnergySum energy;
    for (const TokenSpan& token : trace.tokens) {
        if (token.phase != phase)
            continue;
        energy.add(token.time, token.energy);
        if (!time)
            time = token.time;
        time->begin_ns = std::min(time->begin_ns, token.time.begin_ns);
        time->end_ns = std::max(time->end_ns, token.time.end_ns);
    }
    if (time)
        trace.phases.push_back({phase, *time, energy.sum()});
}

} // namespace

void completeInterrupted(Run& run)
{
    run.info.status = RunStatus::Interrupted;
    run.info.status_message =
        "The program ended during this run; the data below were saved before that.";
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
        energy.add(token.time, token.energy);
        trace.time.begin_ns = std::min(trace.time.begin_ns, token.time.begin_ns);
        trace.time.end_ns = std::max(trace.time.end_ns, token.time.end_ns);
    }
    addPhase(trace, Phase::Prefill);
    addPhase(trace, Phase::Decode);
    run.metrics = computeMetrics(trace, run.info.input_tokens, energy.sum(),
                                 run.info.profiling.server ? &*run.info.profiling.server : nullptr);
}

} // namespace ep::store
