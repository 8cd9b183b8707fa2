// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the tables of docs/accuracy.md: the errors of energies relative to a known truth (median
// and worst), and how often the truth is within two standard deviations.
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

std::string percent(double share, int digits)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f %%", digits, 100.0 * share);
    return text;
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

// Relative errors of one kind of node, and how many of them are within two standard deviations.
struct Figure {
    std::vector<double> errors{};
    std::size_t within = 0;
    std::size_t stated = 0; // that have a standard deviation

    void add(double value, double truth, double sd)
    {
        errors.push_back(std::abs(value - truth) / truth);
        if (!(sd >= 0.0))
            return;
        ++stated;
        within += std::abs(value - truth) <= 2.0 * sd ? 1 : 0;
    }
    void add(const Figure& other)
    {
        errors.insert(errors.end(), other.errors.begin(), other.errors.end());
        within += other.within;
        stated += other.stated;
    }
    double worst() const { return errors.empty() ? 0.0 : *std::ranges::max_element(errors); }
};

struct Errors {
    Figure component; // each component of each layer, over the run
    Figure span; // every single span
    Figure phase; // prefill and decode, where longer than a second
    std::string method;
};

std::string coverage(const Figure& figure)
{
    if (figure.stated == 0)
        return "none";
    return percent(static_cast<double>(figure.within) / static_cast<double>(figure.stated), 0)
        + " of " + std::to_string(figure.stated);
}

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
    for (std::size_t i = 0; i < trace.components.size(); ++i) {
        const ComponentSpan& span = trace.components[i];
        if (!span.energy_mj)
            continue;
        auto& sum = sums[{span.layer, span.component, span.token == 0}];
        sum.first += span.energy_mj->value;
        sum.second += truth.component_mj[i];
        errors.span.add(span.energy_mj->value, truth.component_mj[i], span.energy_notes.sd_mj);
    }
    for (const auto& [key, sum] : sums)
        errors.component.add(sum.first, sum.second, -1.0);
    for (std::size_t i = 0; i < trace.phases.size(); ++i) {
        const PhaseSpan& phase = trace.phases[i];
        if (!phase.energy.total_mj)
            continue;
        if (phase.phase != Phase::Idle && phase.time.duration_ns() > 1'000'000'000)
            errors.phase.add(phase.energy.total_mj->value, truth.phase_mj[i],
                             phase.energy.sd_mj ? phase.energy.sd_mj->value : -1.0);
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
    std::string table =
        "| run | truth | component, by time | component, by cost | single span, by time | "
        "single span, by cost | phase, by time | phase, by cost | method in effect |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n";
    std::string intervals = "| run | truth | single span, by time | single span, by cost | "
                            "phase, by time | phase, by cost |\n"
                            "| --- | --- | ---: | ---: | ---: | ---: |\n";
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
            Errors time;
            Errors cost;
            for (int seed = 1; seed <= kSeeds; ++seed) {
                test::TruthShape shape = entry.truth;
                shape.time_mw = kind.time_mw;
                shape.off_model = kind.off_model;
                shape.seed = static_cast<std::uint32_t>(seed);
                const test::Truth truth = test::makeTruth(shape);
                test::SensorShape sensor;
                sensor.seed = static_cast<std::uint32_t>(100 + seed);
                const auto samples = samplesOf(test::readSensor(truth, sensor), true);
                for (const auto method : {AttributionMethod::Time, AttributionMethod::Cost}) {
                    Errors& all = method == AttributionMethod::Time ? time : cost;
                    const Errors errors = errorsOf(truth, samples, method, true);
                    all.component.add(errors.component);
                    all.span.add(errors.span);
                    all.phase.add(errors.phase);
                    all.method = errors.method;
                }
            }
            const std::string head = std::string("| ") + entry.name + " | " + kind.name + " |";
            table += head;
            intervals += head;
            for (Figure Errors::*figure : {&Errors::component, &Errors::span, &Errors::phase}) {
                for (const Errors* errors : {&time, &cost})
                    table += " " + percent(median((errors->*figure).errors), 2) + " ("
                        + percent((errors->*figure).worst(), 2) + ") |";
            }
            for (Figure Errors::*figure : {&Errors::span, &Errors::phase}) {
                for (const Errors* errors : {&time, &cost})
                    intervals += " " + coverage(errors->*figure) + " |";
            }
            table += " " + cost.method + " |\n";
            intervals += "\n";
        }
    }
    std::printf("%s\n%s", table.c_str(), intervals.c_str());
    return 0;
}
