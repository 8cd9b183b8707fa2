// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the table of docs/accuracy.md: how far energies are from a truth that is known.
//   ep-accuracy > table.md
#include "support/synthetic_truth.h"

#include "ep/energy/attribute.h"
#include "ep/energy/baseline.h"
#include "ep/power/window_tracker.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace ep;

struct Case {
    const char* name;
    test::TruthShape truth;
};

double median(std::vector<double> values)
{
    if (values.empty())
        return 0.0;
    std::ranges::sort(values);
    return values[values.size() / 2];
}

std::vector<PowerSample> samplesOf(const std::vector<test::Reading>& readings, bool rebuilt)
{
    power::WindowTracker tracker;
    std::vector<PowerSample> samples;
    for (const test::Reading& reading : readings) {
        PowerSample sample;
        sample.window = reading.true_window;
        if (rebuilt) {
            const auto window = tracker.place(reading.elapsed_ns, reading.arrival_ns);
            if (!window)
                continue;
            sample.window = *window;
        }
        sample.arrival_ns = reading.arrival_ns;
        sample.energy_mj[Rail::Cpu] = Millijoules{reading.energy_mj};
        sample.power_mw[Rail::Cpu] =
            meanPower(Millijoules{reading.energy_mj}, sample.window.duration_ns());
        sample.total_mw = totalOf(sample.power_mw);
        samples.push_back(sample);
    }
    return samples;
}

struct Errors {
    double component = 0.0; // each component of each layer, over the run
    double span = 0.0; // every single span
    double phase = 0.0; // the worst of prefill and decode
    double prefill = 0.0;
    std::string method;
};

Errors errorsOf(const test::Truth& truth, const std::vector<PowerSample>& samples,
                AttributionMethod method, bool align)
{
    RunTrace trace = truth.trace;
    trace.samples = samples;
    const auto baseline = energy::measureBaseline(samples, truth.idle, trace.time.begin_ns,
                                                  BaselineMoment::AfterLoad);
    const auto result = energy::attribute(trace, {.method = method, .align = align}, baseline);
    Errors errors;
    errors.method = std::string(name(result.record.method));
    if (!result.record.note.empty())
        errors.method += " (" + result.record.note + ")";
    if (std::getenv("EP_ACCURACY_VERBOSE") != nullptr) {
        const auto& fit = result.record.fit;
        std::fprintf(stderr, "%s offset %.2f ms sd %.2f applied %d closure %g",
                     errors.method.c_str(), toMilliseconds(result.record.offset_ns),
                     result.record.offset_sd_ns / 1e6,
                     static_cast<int>(result.record.offset_applied), result.record.closure);
        if (fit && fit->rails[Rail::Cpu])
            std::fprintf(stderr, " a %.1f+-%.1f b %.2f+-%.2f c %.0f+-%.0f cond %.0f n %ld res %g",
                         fit->rails[Rail::Cpu]->pj_per_byte, fit->rails[Rail::Cpu]->pj_per_byte_sd,
                         fit->rails[Rail::Cpu]->pj_per_flop, fit->rails[Rail::Cpu]->pj_per_flop_sd,
                         fit->rails[Rail::Cpu]->time_mw, fit->rails[Rail::Cpu]->time_mw_sd,
                         fit->condition, static_cast<long>(fit->windows),
                         fit->rails[Rail::Cpu]->relative_residual);
        std::fprintf(stderr, "\n");
    }
    std::map<std::tuple<int, Component, bool>, std::pair<double, double>> sums;
    std::vector<double> spans;
    for (std::size_t i = 0; i < trace.components.size(); ++i) {
        const ComponentSpan& span = trace.components[i];
        if (!span.energy_mj)
            continue;
        auto& sum = sums[{span.layer, span.component, span.token == 0}];
        sum.first += span.energy_mj->value;
        sum.second += truth.component_mj[i];
        spans.push_back(std::abs(span.energy_mj->value - truth.component_mj[i])
                        / truth.component_mj[i]);
    }
    std::vector<double> components;
    for (const auto& [key, sum] : sums)
        components.push_back(std::abs(sum.first - sum.second) / sum.second);
    errors.component = median(components);
    errors.span = median(spans);
    for (std::size_t i = 0; i < trace.phases.size(); ++i) {
        const PhaseSpan& phase = trace.phases[i];
        if (!phase.energy.total_mj)
            continue;
        const double error =
            std::abs(phase.energy.total_mj->value - truth.phase_mj[i]) / truth.phase_mj[i];
        if (phase.phase == Phase::Prefill && phase.time.duration_ns() > 1'000'000'000)
            errors.prefill = error;
        if (phase.time.duration_ns() > 1'000'000'000)
            errors.phase = std::max(errors.phase, error);
    }
    return errors;
}

} // namespace

int main()
{
    const std::vector<Case> cases = {
        {"decode only", {.name = "", .input_tokens = 1, .output_tokens = 400, .layers = 16}},
        {"prefill 2048 + decode", {.name = "", .input_tokens = 2048, .output_tokens = 200}},
        {"long context 8192 + decode", {.name = "", .input_tokens = 8192, .output_tokens = 200}},
    };
    std::printf("| run | truth | component, by time | component, by cost | single span, by time | "
                "single span, by cost | phase, by time | phase, by cost | split in fact by |\n"
                "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
    constexpr int kSeeds = 5;
    struct Kind {
        const char* name;
        double time_mw;
        double off_model;
    };
    for (const Kind& kind :
         {Kind{"bytes and FLOPs", 0.0, 0.0}, Kind{"and 2 W of time", 2000.0, 0.0},
          Kind{"and 15 % that follow nothing", 2000.0, 0.15}}) {
        for (const Case& entry : cases) {
            std::vector<double> figures[6];
            std::string method;
            for (int seed = 1; seed <= kSeeds; ++seed) {
                test::TruthShape shape = entry.truth;
                shape.time_mw = kind.time_mw;
                shape.off_model = kind.off_model;
                shape.seed = static_cast<std::uint32_t>(seed);
                const test::Truth truth = test::makeTruth(shape);
                test::SensorShape sensor;
                sensor.seed = static_cast<std::uint32_t>(100 + seed);
                const auto samples = samplesOf(test::readSensor(truth, sensor), true);
                const Errors time = errorsOf(truth, samples, AttributionMethod::Time, true);
                const Errors cost = errorsOf(truth, samples, AttributionMethod::Cost, true);
                figures[0].push_back(time.component);
                figures[1].push_back(cost.component);
                figures[2].push_back(time.span);
                figures[3].push_back(cost.span);
                figures[4].push_back(time.phase);
                figures[5].push_back(cost.phase);
                method = cost.method;
            }
            std::printf("| %s | %s |", entry.name, kind.name);
            for (const auto& list : figures)
                std::printf(" %.2f %% |", 100.0 * median(list));
            std::printf(" %s |\n", method.c_str());
        }
    }
    return 0;
}
