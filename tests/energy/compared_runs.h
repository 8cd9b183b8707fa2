// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "energy/published_data.h"

#include "ep/energy/comparison.h"

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

// Runs with the figures that a comparison uses.
namespace ep::energy::test {

struct RunScript {
    std::string id = "0123456789";
    double joules_per_token = 0.5;
    double tokens_per_second = 20.0;
    std::string dtype = "f32";
    std::string source = "rapl";
    std::string prompt = "Once upon a time";
    Provenance provenance = Provenance::Measured;
    int input_tokens = 5;
    int output_tokens = 40;
};

inline ep::Run makeRun(const RunScript& script)
{
    ep::Run run;
    run.info.id = script.id;
    run.info.status = RunStatus::Complete;
    run.info.prompt = script.prompt;
    run.info.input_tokens = script.input_tokens;
    run.info.output_tokens = script.output_tokens;
    run.info.max_new_tokens = script.output_tokens;
    run.info.device = "cpu";
    run.info.dtype = script.dtype;
    run.info.model.name = "demo";
    run.info.model.parameters = 5'000'000;
    run.info.power.source = script.source;
    RunMetrics& m = run.metrics;
    const double seconds = script.output_tokens / script.tokens_per_second;
    m.duration_ns = static_cast<Nanoseconds>(seconds * 1e9);
    m.joules_per_token = script.joules_per_token;
    m.tokens_per_joule = 1.0 / script.joules_per_token;
    m.tokens_per_second = script.tokens_per_second;
    m.time_to_first_token_ns = static_cast<Nanoseconds>(1e9 / script.tokens_per_second);
    const Millijoules energy{script.joules_per_token * 1e3 * script.output_tokens};
    m.energy.total_mj = energy;
    m.energy.sd_mj = energy * 0.01;
    m.energy.provenance = script.provenance;
    m.mean_power_mw = meanPower(energy, m.duration_ns);
    m.edp_joule_seconds = energy.value * 1e-3 * seconds;
    run.trace.time = {0, m.duration_ns};
    // A fifth of time and energy belongs to the prefill, the rest to decoding.
    Nanoseconds at = 0;
    for (const auto& [phase, share] :
         {std::pair(Phase::Prefill, 0.2), std::pair(Phase::Decode, 0.8)}) {
        const auto end = at + static_cast<Nanoseconds>(share * static_cast<double>(m.duration_ns));
        EnergyValue part{.rails_mj = {},
                         .total_mj = energy * share,
                         .provenance = script.provenance,
                         .sd_mj = energy * (share * 0.01)};
        run.trace.phases.push_back({phase, {at, end}, part});
        run.trace.sections.push_back(Span::ofSection(phase, Section::Layers, 0, {at, end}, part));
        at = end;
    }
    return run;
}

inline ComparedRun compared(const ep::Run& run)
{
    std::vector<ComponentTotal> totals;
    for (int layer = 0; layer < 2; ++layer) {
        for (const Component component : {Component::QProj, Component::DownProj}) {
            ComponentTotal total;
            total.layer = layer;
            total.component = component;
            total.tokens = run.info.output_tokens;
            total.sum.spans = total.sum.energy_spans = total.tokens;
            total.sum.duration_ns = run.metrics.duration_ns / 8 * (1 + layer);
            total.sum.energy_mj = *run.metrics.energy.total_mj * (0.125 * (1 + layer));
            total.sum.energy_duration_ns = total.sum.duration_ns;
            total.sum.provenance = Provenance::Attributed;
            totals.push_back(total);
        }
    }
    return {std::make_shared<const ep::Run>(run),
            std::make_shared<const std::vector<ComponentTotal>>(std::move(totals))};
}

// Repeats whose energy and speed vary by the fraction `spread`; a fast run is a frugal one.
inline RunGroup repeats(std::mt19937_64& engine, int count, RunScript script, double spread)
{
    RunGroup group;
    const RunScript typical = script;
    for (int i = 0; i < count; ++i) {
        const std::vector<double> noise = normalValues(engine, 2, 0.0, spread);
        script.id = typical.dtype + std::to_string(i) + "-0000";
        script.tokens_per_second = typical.tokens_per_second * (1.0 + noise[0]);
        script.joules_per_token =
            typical.joules_per_token * (1.0 - 0.7 * noise[0] + 0.7 * noise[1]);
        group.runs.push_back(compared(makeRun(script)));
    }
    return group;
}

} // namespace ep::energy::test
