// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/run_breakdown.h"

#include <optional>
#include <string>

namespace ep::test {

struct CostRunShape {
    int tokens = 4;
    int layers = 3;
    bool energy = true;
    bool operations = false;
    double noise_mj = 0.0; // added to every other component's energy; may be negative
    double baseline_mw = -1.0; // negative: none was measured
};

// A run with round figures: 10 W throughout, so 1 ms is 10 mJ. A decoded token takes 1 ms per
// layer (norm 0.1, attention 0.4, MLP 0.4, remainder 0.1), plus 0.1 for the embedding, 0.5 for the
// head, 0.1 for sampling and a remainder of 0.3 ms; the prefill takes ten times as long.
inline Run makeCostRun(const CostRunShape& shape = {})
{
    constexpr Nanoseconds kMs = 1'000'000;
    Run run;
    RunTrace& trace = run.trace;
    if (shape.baseline_mw >= 0.0) {
        run.info.power.baseline.emplace();
        run.info.power.baseline->total_mw = Milliwatts{shape.baseline_mw};
    }
    const auto energyOf10W = [&](Nanoseconds duration) -> std::optional<Millijoules> {
        if (!shape.energy)
            return std::nullopt;
        return energyOf(Milliwatts{10'000.0}, duration);
    };
    const auto value = [&](Nanoseconds duration) {
        EnergyValue energy;
        energy.total_mj = energyOf10W(duration);
        energy.provenance = shape.energy ? Provenance::Measured : Provenance::Missing;
        return energy;
    };
    Nanoseconds now = 1000 * kMs;
    trace.time.begin_ns = now;
    const auto phase = [&](Phase which, Nanoseconds begin) {
        trace.phases.push_back({which, {begin, now}, value(now - begin)});
    };
    const auto section = [&](Phase in, Section which, int token, Nanoseconds duration) {
        trace.sections.push_back({in, which, token, {now, now + duration}, value(duration), {}});
        now += duration;
    };
    section(Phase::PreInference, Section::Tokenization, kNoToken, kMs);
    phase(Phase::PreInference, trace.time.begin_ns);
    Nanoseconds decodeBegin = now;
    bool odd = false;
    for (int index = 0; index < shape.tokens; ++index) {
        const Phase in = index == 0 ? Phase::Prefill : Phase::Decode;
        const Nanoseconds unit = (index == 0 ? 10 : 1) * kMs / 10;
        const Nanoseconds begin = now;
        section(in, Section::Embedding, index, unit);
        const Nanoseconds layersBegin = now;
        for (int layer = 0; layer < shape.layers; ++layer) {
            const Nanoseconds layerBegin = now;
            const auto component = [&](Component which, Nanoseconds duration) {
                ComponentSpan span;
                span.token = index;
                span.layer = layer;
                span.component = which;
                span.time = {now, now + duration};
                span.energy_mj = energyOf10W(duration);
                odd = !odd;
                if (span.energy_mj && odd)
                    span.energy_mj->value += shape.noise_mj;
                if (shape.operations && which == Component::Attention) {
                    for (const Operation operation : {Operation::QkMatmul, Operation::Softmax}) {
                        OperationSpan part;
                        part.token = index;
                        part.layer = layer;
                        part.component = which;
                        part.operation = operation;
                        part.time = {now, now + duration / 4};
                        part.energy_mj = energyOf10W(duration / 4);
                        trace.operations.push_back(part);
                    }
                }
                now += duration;
                trace.components.push_back(span);
            };
            component(Component::InputLayernorm, unit);
            component(Component::Attention, 4 * unit);
            component(Component::DownProj, 4 * unit);
            now += unit; // remainder of the layer
            trace.layers.push_back(
                {index, layer, {layerBegin, now}, std::nullopt, energyOf10W(now - layerBegin), {}});
        }
        trace.sections.push_back(
            {in, Section::Layers, index, {layersBegin, now}, value(now - layersBegin), {}});
        section(in, Section::LmHead, index, 5 * unit);
        section(in, Section::Sampling, index, unit);
        now += 3 * unit;
        TokenSpan token;
        token.index = index;
        token.position = index + 10;
        token.text = " t" + std::to_string(index);
        token.phase = in;
        token.time = {begin, now};
        token.energy = value(now - begin);
        trace.tokens.push_back(token);
        if (index == 0) {
            phase(Phase::Prefill, begin);
            decodeBegin = now;
        }
    }
    if (shape.tokens > 1)
        phase(Phase::Decode, decodeBegin);
    now += kMs; // remainder of the run
    trace.time.end_ns = now;
    run.metrics.duration_ns = trace.time.duration_ns();
    run.metrics.energy = value(run.metrics.duration_ns);
    return run;
}

} // namespace ep::test
