// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

// How the energies of the sample run were obtained and what its recording cost. Every member is
// set, so that none can get lost.
namespace ep::test {

inline void fillQuality(PowerQuality& quality)
{
    quality.max_interval_ms = 131.5;
    quality.gaps = 1;
    quality.dropped = 2;
    quality.stuck = {Rail::Dram};
    quality.batched = {Rail::Cpu, Rail::Ane};
    quality.incomplete = {Rail::Gpu};
    quality.thermal = ThermalPressure::Moderate;
    quality.on_battery = false;
    quality.power_mode = PowerMode::Low;
    quality.other_cpu_share = 0.125;
    quality.own_cpu_share = 0.015;
    quality.processors = 8;
    quality.verdict = QualityVerdict::Fair;
    quality.reasons = {"Low-power mode was on."};
}

inline void fillPower(PowerInfo& power)
{
    power.sample_kind = SampleKind::Counter;
    BaselineRecord& baseline = power.baseline.emplace();
    baseline.moment = BaselineMoment::BeforeLoad;
    baseline.power_mw[Rail::Cpu] = Milliwatts{812.5};
    baseline.sd_mw[Rail::Cpu] = Milliwatts{20.25};
    baseline.total_mw = Milliwatts{900.5};
    baseline.total_sd_mw = Milliwatts{31.0};
    baseline.duration_ns = 2'000'000'000;
    baseline.samples = 19;
    baseline.effective_samples = 11.5;
    baseline.age_ns = 150'000'000;

    AttributionRecord& record = power.attribution.emplace();
    record.asked = AttributionMethod::Cost;
    record.method = AttributionMethod::Time;
    record.note = "the windows depend on time alone";
    record.offset_ns = 1'500'000;
    record.offset_sd_ns = 250'000.5;
    record.closure = 1.5e-16;
    CostFit& fit = record.fit.emplace();
    fit.windows = 12;
    fit.condition = 34.5;
    fit.rails[Rail::Gpu] = UnitCosts{60.5, 3.25, 100.0, 1.5, 0.5, 10.0, 0.0625};
    power.rated_mw = Milliwatts{45'000.0};
    power.battery_mj = Millijoules{1.8e8};
}

inline void addSecondSource(RunTrace& trace)
{
    SecondarySource& other = trace.secondary.emplace_back();
    other.source = "rapl";
    other.detail = "processor packages: 1";
    other.notice = "a notice";
    PowerSample sample;
    sample.window = trace.samples.front().window;
    sample.arrival_ns = sample.window.end_ns;
    sample.energy_mj[Rail::Cpu] = Millijoules{7.5};
    sample.power_mw[Rail::Cpu] = Milliwatts{75.0};
    sample.total_mw = Milliwatts{75.0};
    other.samples = {sample};
}

inline void addSpanNotes(RunTrace& trace)
{
    trace.phases.back().energy.alternative_mj = Millijoules{2.5};
    if (!trace.components.empty()) {
        trace.layers.front().sd_mj = Millijoules{0.5};
        trace.layers.front().alternative_mj = Millijoules{0.75};
        trace.components.front().sd_mj = Millijoules{0.125};
    }
    if (!trace.operations.empty()) {
        trace.operations.front().alternative_mj = Millijoules{0.25};
        trace.operations.front().extras = SharedExtras({.attention_entropy = {1.25F, 0.1F},
                                                        .max_attention_weight = {0.5F, 1.0F},
                                                        .attention_sparsity = {0.0F, 0.75F},
                                                        .activation_kill_ratio = 0.3F,
                                                        .variance_ratio = {},
                                                        .expert = {},
                                                        .rows = {}});
        trace.operations.back().extras = SharedExtras({.attention_entropy = {},
                                                       .max_attention_weight = {},
                                                       .attention_sparsity = {},
                                                       .activation_kill_ratio = {},
                                                       .variance_ratio = 12.5F,
                                                       .expert = 7,
                                                       .rows = 3});
    }
    trace.sections.back().stats =
        ActivationStats{.mean_abs = 0.5F, .std = 0.25F, .max_abs = 3.0F, .sparsity = 0.125F};
}

inline void fillProfiling(ProfilingRecord& profiling)
{
    profiling.computation =
        "own kernels: AVX2, one row: f32 x 32 one; many rows: panels (measured)";
    profiling.kernels = "AVX2, one row: f32 x 32 one; many rows: panels";
    profiling.clock_note = "no events on this device";
    profiling.statistics_every = 4;
    profiling.spans = 1234;
    profiling.statistics = 56;
    profiling.span_cost_ns = 41.5;
    profiling.statistic_cost_ns = 310.25;
    profiling.cost_ns = 68'585;
    profiling.memory_bytes = 49'360;
    profiling.exact_slowdown = 1.75;
    profiling.settings = {{"top_k", std::int64_t{40}},
                          {"warmup_cv", 0.25},
                          {"prompt_cache", true},
                          {"kv_cache", std::string("static")}};
    profiling.twin = TwinRecord{.clean_prefill_ns = 1000,
                                .clean_decode_ns = 5000,
                                .prefill_ns = 1010,
                                .decode_ns = 5100,
                                .tokens = 8,
                                .different_tokens = 1,
                                .clean_mj = 12.5,
                                .instrumented_mj = {},
                                .clean_prefill = {-9000, -8000},
                                .clean_decode = {-8000, -2900}};
}

inline void addSampleRecords(Run& run)
{
    fillQuality(*run.info.power.quality);
    fillPower(run.info.power);
    addSecondSource(run.trace);
    run.metrics.energy.sd_mj = Millijoules{1.25};
    addSpanNotes(run.trace);
    fillProfiling(run.info.profiling);
}

} // namespace ep::test
