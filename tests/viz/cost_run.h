// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/run_tree.h"

#include <optional>
#include <string>
#include <utility>

namespace ep::test {

struct CostRunShape {
    int tokens = 4;
    int layers = 3;
    bool energy = true;
    bool operations = false;
    double noise_mj = 0.0; // added to every other component's energy; may be negative
    double baseline_mw = -1.0; // negative: none was measured
};

// Appends spans from a time that only grows.
class CostRunBuilder {
public:
    explicit CostRunBuilder(const CostRunShape& shape)
        : m_shape(shape)
    {
        m_run.trace.time.begin_ns = m_now;
        if (shape.baseline_mw >= 0.0) {
            m_run.info.power.baseline.emplace();
            m_run.info.power.baseline->total_mw = Milliwatts{shape.baseline_mw};
        }
    }

    Run build()
    {
        RunTrace& trace = m_run.trace;
        section(Phase::PreInference, Section::Tokenization, kNoToken, kMs);
        phase(Phase::PreInference, trace.time.begin_ns);
        Nanoseconds decodeBegin = m_now;
        for (int index = 0; index < m_shape.tokens; ++index) {
            const Nanoseconds begin = m_now;
            token(index);
            if (index == 0) {
                phase(Phase::Prefill, begin);
                decodeBegin = m_now;
            }
        }
        if (m_shape.tokens > 1)
            phase(Phase::Decode, decodeBegin);
        m_now += kMs; // remainder of the run
        trace.time.end_ns = m_now;
        m_run.metrics.duration_ns = trace.time.duration_ns();
        m_run.metrics.energy = value(m_run.metrics.duration_ns);
        return std::move(m_run);
    }

private:
    static constexpr Nanoseconds kMs = 1'000'000;

    std::optional<Millijoules> energyOf10W(Nanoseconds duration) const
    {
        if (!m_shape.energy)
            return std::nullopt;
        return energyOf(Milliwatts{10'000.0}, duration);
    }

    EnergyValue value(Nanoseconds duration) const
    {
        EnergyValue energy;
        energy.total_mj = energyOf10W(duration);
        energy.provenance = m_shape.energy ? Provenance::Measured : Provenance::Missing;
        return energy;
    }

    void phase(Phase which, Nanoseconds begin)
    {
        m_run.trace.phases.push_back({which, {begin, m_now}, value(m_now - begin)});
    }

    void section(Phase in, Section which, int token, Nanoseconds duration)
    {
        m_run.trace.sections.push_back(
            Span::ofSection(in, which, token, {m_now, m_now + duration}, value(duration)));
        m_now += duration;
    }

    void token(int index)
    {
        RunTrace& trace = m_run.trace;
        const Phase in = index == 0 ? Phase::Prefill : Phase::Decode;
        const Nanoseconds unit = (index == 0 ? 10 : 1) * kMs / 10;
        const Nanoseconds begin = m_now;
        section(in, Section::Embedding, index, unit);
        const Nanoseconds layersBegin = m_now;
        for (int layer = 0; layer < m_shape.layers; ++layer)
            addLayer(index, layer, unit);
        trace.sections.push_back(Span::ofSection(in, Section::Layers, index, {layersBegin, m_now},
                                                 value(m_now - layersBegin)));
        section(in, Section::LmHead, index, 5 * unit);
        section(in, Section::Sampling, index, unit);
        m_now += 3 * unit;
        TokenSpan token;
        token.index = index;
        token.position = index + 10;
        token.text = " t" + std::to_string(index);
        token.phase = in;
        token.time = {begin, m_now};
        token.energy = value(m_now - begin);
        trace.tokens.push_back(token);
    }

    void addLayer(int token, int layer, Nanoseconds unit)
    {
        const Nanoseconds begin = m_now;
        component(token, layer, Component::InputLayernorm, unit);
        component(token, layer, Component::Attention, 4 * unit);
        component(token, layer, Component::DownProj, 4 * unit);
        m_now += unit; // remainder of the layer
        m_run.trace.layers.push_back(
            Span::ofLayer(token, layer, {begin, m_now}, energyOf10W(m_now - begin)));
    }

    void component(int token, int layer, Component which, Nanoseconds duration)
    {
        Span span = Span::ofComponent(token, layer, which, {m_now, m_now + duration},
                                      energyOf10W(duration));
        m_odd = !m_odd;
        if (span.energy_mj && m_odd)
            span.energy_mj->value += m_shape.noise_mj;
        if (m_shape.operations && which == Component::Attention) {
            for (const Operation operation : {Operation::QkMatmul, Operation::Softmax}) {
                m_run.trace.operations.push_back(Span::ofOperation(token, layer, which, operation,
                                                                   {m_now, m_now + duration / 4},
                                                                   energyOf10W(duration / 4)));
            }
        }
        m_now += duration;
        m_run.trace.components.push_back(span);
    }

    CostRunShape m_shape;
    Run m_run;
    Nanoseconds m_now = 1000 * kMs;
    bool m_odd = false;
};

// A run with round figures: 10 W throughout, so 1 ms is 10 mJ. A decoded token takes 1 ms per
// layer (norm 0.1, attention 0.4, MLP 0.4, remainder 0.1), plus 0.1 for the embedding, 0.5 for the
// head, 0.1 for sampling and a remainder of 0.3 ms; the prefill takes ten times as long.
inline Run makeCostRun(const CostRunShape& shape = {})
{
    return CostRunBuilder(shape).build();
}

} // namespace ep::test
