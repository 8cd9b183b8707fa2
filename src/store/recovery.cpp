// SPDX-License-Identifier: GPL-3.0-or-later
#include "recovery.h"

#include "ep/core/metrics.h"
#include "ep/core/trace_lookup.h"

#include <algorithm>

namespace ep::store {

namespace {

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
    run.metrics = computeMetrics(trace, run.info.input_tokens, energy.sum());
}

} // namespace ep::store
