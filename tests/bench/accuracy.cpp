// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the tables of docs/accuracy.md: errors of energies relative to a known truth, how often
// the intervals hold, and how wide they are.
//   ep-accuracy [--seeds N] [--only TEXT] [--method NAME] [--calibrations N] [--repeats N] >
//   tables.md
#include "calibration_figures.h"
#include "support/simulated_calibration.h"
#include "support/synthetic_truth.h"

#include "ep/core/format.h"
#include "ep/core/metrics.h"
#include "ep/core/run_breakdown.h"
#include "ep/core/tally.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/aggregate.h"
#include "ep/energy/attribute.h"
#include "ep/energy/baseline.h"
#include "ep/power/window_tracker.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

using namespace ep;

struct Case {
    const char* name;
    test::TruthShape truth;
    test::SensorShape sensor{};
    bool stamped = false; // windows as timestamped by the sensor, not placed by their arrival
    bool baseline = true;
};

std::vector<Case> casesOf()
{
    using test::FactorShape;
    const test::TruthShape run{.input_tokens = 2048, .output_tokens = 120};
    const test::SensorShape exact{.noise = 0.0};
    test::TruthShape normal = run;
    normal.time_mw = 2000.0;
    normal.off_model = 0.15;
    normal.factors = FactorShape::Normal;

    test::TruthShape busy = normal;
    busy.time_mw = 8000.0;
    test::TruthShape uniform = normal;
    uniform.factors = FactorShape::Uniform;
    test::TruthShape heavy = normal;
    heavy.factors = FactorShape::HeavyTails;
    test::TruthShape rails = normal;
    rails.rails = true;
    test::TruthShape decode = normal;
    decode.input_tokens = 1;
    decode.output_tokens = 300;
    test::TruthShape context = normal;
    context.input_tokens = 8192;
    test::TruthShape changing = normal;
    changing.ramp = 0.1;
    changing.drift = 0.01;
    test::TruthShape bursts = normal;
    bursts.bursts_per_s = 0.5;
    test::TruthShape brief = normal;
    brief.input_tokens = 256;
    brief.output_tokens = 24;
    test::TruthShape pulse = normal;
    pulse.input_tokens = 16;
    pulse.output_tokens = 2;
    test::TruthShape real = changing;
    real.rails = true;
    real.bursts_per_s = 0.2;
    const test::SensorShape slow{.interval_ms = 250.0};
    const test::SensorShape losing{.lost = 0.05};
    const test::SensorShape jittered{.timestamp_ms = 2.0};
    test::SensorShape poor;
    poor.delay_ms = 20.0;
    poor.lost = 0.02;
    return {
        {"bytes and FLOPs alone, exact sensor", run, exact},
        {"kinds differ, normal", normal},
        {"kinds differ, 8 W for time", busy},
        {"kinds differ, uniform", uniform},
        {"kinds differ, heavy tails", heavy},
        {"decode only", decode},
        {"context of 8192", context},
        {"three rails", rails},
        {"clock ramp and drift", changing},
        {"bursts of others", bursts},
        {"windows of 258 ms", normal, slow},
        {"5 % of windows lost", normal, losing},
        {"timestamps off by 2 ms", normal, jittered, true},
        {"all of it, 20 ms late", real, poor},
        {"0.5 s", brief},
        {"0.03 s", pulse},
        {"0.03 s without idle power", pulse, {}, false, false},
    };
}

std::vector<PowerSample> samplesOf(const std::vector<test::Reading>& readings, bool stamped)
{
    power::WindowTracker tracker;
    std::vector<PowerSample> samples;
    for (const test::Reading& reading : readings) {
        PowerSample sample;
        sample.window = reading.stamped;
        if (!stamped) {
            const auto window = tracker.place(reading.elapsed_ns, reading.arrival_ns);
            if (!window)
                continue;
            sample.window = *window;
        }
        sample.arrival_ns = reading.arrival_ns;
        for (std::size_t rail = 0; rail < kRailCount; ++rail) {
            const auto& energy = reading.rails_mj.values[rail];
            if (!energy)
                continue;
            sample.energy_mj.values[rail] = Millijoules{*energy};
            sample.power_mw.values[rail] =
                meanPower(Millijoules{*energy}, sample.window.duration_ns());
        }
        sample.total_mw = totalOf(sample.power_mw);
        samples.push_back(sample);
    }
    return samples;
}

double quantile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0.0;
    const auto rank = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(rank));
    return values[rank];
}

std::string percent(double share, int digits)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", digits, 100.0 * share);
    return text;
}

// The errors of one kind of node.
struct Figure {
    std::vector<double> errors{}; // relative
    std::vector<double> scores{}; // in standard deviations
    std::size_t refused = 0;
    std::size_t nodes = 0;

    void add(const Tally& value, double truth)
    {
        ++nodes;
        if (!value.complete() || !value.sd_mj) {
            ++refused;
            return;
        }
        const double error = std::abs(value.energy_mj->value - truth);
        errors.push_back(error / truth);
        scores.push_back(value.sd_mj->value > 0.0 ? error / value.sd_mj->value : 1e9);
    }
    std::string cells() const // median, p95, worst
    {
        if (errors.empty())
            return " - |";
        return " " + percent(quantile(errors, 0.5), 2) + " / " + percent(quantile(errors, 0.95), 2)
            + " / " + percent(quantile(errors, 1.0), 1) + " |";
    }
    std::string coverage() const
    {
        if (scores.empty())
            return " - |";
        const auto within =
            std::ranges::count_if(scores, [](double score) { return score <= kHalfInterval95; });
        const double share = static_cast<double>(within) / static_cast<double>(scores.size());
        char width[32];
        std::snprintf(width, sizeof width, "%.2f",
                      kHalfInterval95 / std::max(1e-9, quantile(scores, 0.95)));
        return " " + percent(share, 1) + " (" + width + ") |";
    }
};

struct Errors {
    Figure phase{}; // prefill and decode, if they last ten windows or more
    Figure run{};
    Figure kind{}; // each kind of component over the run, if it has 1 % of the energy or more
    Figure component{}; // each component of each layer and phase, over the run
    Figure token{};
    Figure span{}; // every 37th span
    std::map<std::string, int> methods{};
    std::size_t seeds = 0;
};

void measure(const test::Truth& truth, const std::vector<PowerSample>& samples, const Case& entry,
             const energy::AttributionSettings& settings, Errors& errors)
{
    RunTrace trace = truth.trace;
    trace.samples = samples;
    std::optional<BaselineRecord> baseline;
    if (entry.baseline)
        baseline = energy::measureBaseline(samples, truth.idle, trace.time.begin_ns,
                                           BaselineMoment::AfterLoad);
    const auto result = energy::attribute(trace, settings, baseline);
    ++errors.methods[std::string(name(result.record.method))];
    ++errors.seeds;
    if (std::getenv("EP_ACCURACY_VERBOSE") != nullptr)
        std::fprintf(stderr, "%s %s %s offset %.2f +- %.2f ms applied %d\n", entry.name,
                     std::string(name(result.record.method)).c_str(), result.record.note.c_str(),
                     toMilliseconds(result.record.offset_ns), result.record.offset_sd_ns / 1e6,
                     static_cast<int>(result.record.offset_applied));
    // Prefill is not calibrated.
    const bool decodeOnly = settings.method == AttributionMethod::Calibrated;
    std::map<std::tuple<Phase, int, Component>, double> known;
    for (std::size_t i = 0; i < trace.components.size(); ++i) {
        const ComponentSpan& span = trace.components[i];
        if (decodeOnly && span.token == 0)
            continue;
        known[{span.token == 0 ? Phase::Prefill : Phase::Decode, span.layer, span.component}] +=
            truth.component_mj[i];
        if (i % 37 == 0)
            errors.span.add(tallyOf(span.time.duration_ns(), span.energy_mj, Provenance::Attributed,
                                    span.energy_notes.deviation()),
                            truth.component_mj[i]);
    }
    std::map<Component, std::pair<Tally, double>> kinds;
    for (const RunBreakdown::OfComponent& of : breakDown(trace).components) {
        const auto found = known.find({of.phase, of.layer, of.component});
        if (found == known.end())
            continue;
        errors.component.add(of.sum, found->second);
        kinds[of.component].first.add(of.sum);
        kinds[of.component].second += found->second;
    }
    constexpr double kMinShare = 0.01;
    for (const auto& [component, sum] : kinds) {
        if (sum.second >= kMinShare * truth.over(trace.time))
            errors.kind.add(sum.first, sum.second);
    }
    for (const TokenSpan& token : trace.tokens)
        errors.token.add(tallyOf(token.time, token.energy), truth.over(token.time));
    const Nanoseconds window = samples.empty() ? 0 : samples.front().window.duration_ns();
    for (const PhaseSpan& phase : trace.phases) {
        if (phase.phase != Phase::Idle && phase.time.duration_ns() >= 10 * window)
            errors.phase.add(tallyOf(phase.time, phase.energy), truth.over(phase.time));
    }
    errors.run.add(tallyOf(trace.time, result.run), truth.over(trace.time));
}

constexpr int kRepeats = 5;

// Measures five runs of one machine as one; they differ only in the sensor.
void measureRepeats(const Case& entry, int seed, Errors& single, Errors& errors)
{
    test::TruthShape shape = entry.truth;
    shape.seed = static_cast<std::uint32_t>(seed);
    const test::Truth truth = test::makeTruth(shape);
    std::vector<energy::Excerpt> repeats;
    Nanoseconds window = 0;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        test::SensorShape sensor = entry.sensor;
        sensor.seed = static_cast<std::uint32_t>(1'000'000 + kRepeats * seed + repeat);
        const auto samples = samplesOf(test::readSensor(truth, sensor), entry.stamped);
        if (repeat == 0)
            measure(truth, samples, entry, {.method = AttributionMethod::Cost}, single);
        window = samples.empty() ? 0 : samples.front().window.duration_ns();
        Run run;
        run.trace = truth.trace;
        run.trace.samples = samples;
        std::optional<BaselineRecord> baseline;
        if (entry.baseline)
            baseline = energy::measureBaseline(samples, truth.idle, run.trace.time.begin_ns,
                                               BaselineMoment::AfterLoad);
        const auto result =
            energy::attribute(run.trace, {.method = AttributionMethod::Cost}, baseline);
        run.metrics = computeMetrics(run.trace, shape.input_tokens, result.run);
        RunBreakdown parts = breakDown(run.trace);
        auto totals = totalsOf(run.trace);
        repeats.push_back(energy::wholeOf(std::move(run), std::move(parts), std::move(totals)));
    }
    const energy::Excerpt mean = energy::meanOfRepeats(repeats);
    errors.run.add(mean.sum, truth.over(truth.trace.time));
    for (const PhaseSpan& phase : truth.trace.phases) {
        const PhaseSpan* own = findPhase(mean.run.trace, phase.phase);
        if (own != nullptr && phase.time.duration_ns() >= 10 * window)
            errors.phase.add(tallyOf(own->time, own->energy), truth.over(phase.time));
    }
    std::map<std::tuple<Phase, int, Component>, double> known;
    for (std::size_t i = 0; i < truth.trace.components.size(); ++i) {
        const ComponentSpan& span = truth.trace.components[i];
        known[{span.token == 0 ? Phase::Prefill : Phase::Decode, span.layer, span.component}] +=
            truth.component_mj[i];
    }
    for (const RunBreakdown::OfComponent& of : mean.parts.components)
        errors.component.add(of.sum, known.at({of.phase, of.layer, of.component}));
}

std::string repeatTable(int seeds, const std::string& only)
{
    std::string text = "| truth and sensor | runs | run | phase | component | run | phase | "
                       "component |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for (const Case& entry : casesOf()) {
        if (std::string_view(entry.name).find(only) == std::string_view::npos)
            continue;
        Errors single;
        Errors group;
        for (int seed = 1; seed <= seeds; ++seed)
            measureRepeats(entry, seed, single, group);
        for (const auto& [count, errors] : {std::pair{1, &single}, std::pair{kRepeats, &group}}) {
            text += std::string("| ") + entry.name + " | " + std::to_string(count) + " |";
            for (Figure Errors::*figure : {&Errors::run, &Errors::phase, &Errors::component})
                text += (errors->*figure).cells();
            for (Figure Errors::*figure : {&Errors::run, &Errors::phase, &Errors::component})
                text += (errors->*figure).coverage();
            text += "\n";
        }
    }
    return text;
}

} // namespace

int main(int argc, char** argv)
{
    int seeds = 5;
    int calibrations = 0;
    int repeats = 0;
    std::string only;
    std::string method; // empty: all
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i];
        if (option == "--seeds")
            seeds = std::max(1, std::atoi(argv[i + 1]));
        else if (option == "--only")
            only = argv[i + 1];
        else if (option == "--method")
            method = argv[i + 1];
        else if (option == "--calibrations")
            calibrations = std::max(1, std::atoi(argv[i + 1]));
        else if (option == "--repeats")
            repeats = std::max(1, std::atoi(argv[i + 1]));
    }
    if (repeats > 0) {
        std::printf("%d seeds.\n\n%s", repeats, repeatTable(repeats, only).c_str());
        return 0;
    }
    if (calibrations > 0) {
        std::printf("%d seeds.\n\n%s", calibrations,
                    bench::calibrationTables(calibrations).c_str());
        return 0;
    }
    const std::string head =
        "| truth and sensor | method | run | phase | token | kind | component | span |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    std::string size = head;
    std::string hold = head;
    std::size_t refused = 0;
    std::size_t nodes = 0;
    for (const Case& entry : casesOf()) {
        if (std::string_view(entry.name).find(only) == std::string_view::npos)
            continue;
        Errors time;
        Errors cost;
        Errors calibrated;
        for (int seed = 1; seed <= seeds; ++seed) {
            test::TruthShape shape = entry.truth;
            shape.seed = static_cast<std::uint32_t>(seed);
            const test::Truth truth = test::makeTruth(shape);
            test::SensorShape sensor = entry.sensor;
            sensor.seed = static_cast<std::uint32_t>(100'000 + seed);
            const auto samples = samplesOf(test::readSensor(truth, sensor), entry.stamped);
            if (method.empty() || method == "time")
                measure(truth, samples, entry, {.method = AttributionMethod::Time}, time);
            if (method.empty() || method == "cost")
                measure(truth, samples, entry, {.method = AttributionMethod::Cost}, cost);
            if (!method.empty() && method != "calibrated")
                continue;
            const auto known = test::simulateCalibration(truth, {.seed = shape.seed});
            if (known.result.refusal.empty())
                measure(
                    truth, samples, entry,
                    {.method = AttributionMethod::Calibrated, .calibration = known.result.record},
                    calibrated);
        }
        for (const auto& [asked, errors] : {std::pair{"time", &time}, std::pair{"cost", &cost},
                                            std::pair{"calibrated", &calibrated}}) {
            if (!method.empty() && method != asked)
                continue;
            std::string row = std::string("| ") + entry.name + " | " + asked;
            if (const int used = errors->methods[asked]; used < seeds)
                row += " (" + std::to_string(used) + " of " + std::to_string(seeds) + ")";
            row += " |";
            size += row;
            hold += row;
            for (Figure Errors::*figure : {&Errors::run, &Errors::phase, &Errors::token,
                                           &Errors::kind, &Errors::component, &Errors::span}) {
                size += (errors->*figure).cells();
                hold += (errors->*figure).coverage();
                refused += (errors->*figure).refused;
                nodes += (errors->*figure).nodes;
            }
            size += "\n";
            hold += "\n";
        }
    }
    std::printf("%d seeds. Errors in percent: median / p95 / worst.\n\n%s\n"
                "Coverage of the 95 %% intervals in percent, and in brackets their width relative "
                "to the narrowest\nthat would cover 95 %%.\n\n%s\n%zu of %zu nodes refused.\n",
                seeds, size.c_str(), hold.c_str(), refused, nodes);
    return 0;
}
