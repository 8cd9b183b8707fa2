// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the table of docs/accuracy.md: errors of energies relative to a known truth, how often
// the intervals hold, and how wide they are. scripts/accuracy.sh makes all tables.
//   ep-accuracy [--seeds N] [--only TEXT] [--method NAME] [--calibrations N] [--repeats N] >
//   table.md
#include "accuracy_cases.h"
#include "calibration_figures.h"
#include "support/simulated_calibration.h"
#include "support/synthetic_truth.h"

#include "ep/core/format.h"
#include "ep/core/metrics.h"
#include "ep/core/run_tree.h"
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
using bench::Case;
using bench::casesOf;

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
    // Median, p95 and worst; then how many intervals hold, and their relative width.
    std::string cell() const { return errors.empty() ? " - |" : ' ' + size() + ';' + coverage(); }
    std::string cells() const { return errors.empty() ? " - |" : ' ' + size() + " |"; }
    std::string size() const
    {
        return percent(quantile(errors, 0.5), 2) + " / " + percent(quantile(errors, 0.95), 2)
            + " / " + percent(quantile(errors, 1.0), 1);
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
                     std::string(name(result.record.method)).c_str(),
                     result.record.note.english().c_str(), toMilliseconds(result.record.offset_ns),
                     result.record.offset_sd_ns / 1e6,
                     static_cast<int>(result.record.offset_applied));
    // Prefill is not calibrated.
    const bool decodeOnly = settings.method == AttributionMethod::Calibrated;
    std::map<std::tuple<Phase, int, Component>, double> known;
    for (std::size_t i = 0; i < trace.components.size(); ++i) {
        const Span& span = trace.components[i];
        if (decodeOnly && span.token == 0)
            continue;
        known[{span.token == 0 ? Phase::Prefill : Phase::Decode, span.layer, span.component}] +=
            truth.component_mj[i];
        if (i % 37 == 0)
            errors.span.add(tallyOf(span), truth.component_mj[i]);
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
        const Span& span = truth.trace.components[i];
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

struct Options {
    int seeds = 5;
    int calibrations = 0;
    int repeats = 0;
    std::string only;
    std::string method; // empty: by cost and calibrated

    bool asks(std::string_view name) const
    {
        return method.empty() ? name != "time" : method == name;
    }
};

Options optionsIn(int argc, char** argv)
{
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i];
        if (option == "--seeds")
            options.seeds = std::max(1, std::atoi(argv[i + 1]));
        else if (option == "--only")
            options.only = argv[i + 1];
        else if (option == "--method")
            options.method = argv[i + 1];
        else if (option == "--calibrations")
            options.calibrations = std::max(1, std::atoi(argv[i + 1]));
        else if (option == "--repeats")
            options.repeats = std::max(1, std::atoi(argv[i + 1]));
    }
    return options;
}

struct ByMethod {
    Errors time;
    Errors cost;
    Errors calibrated;
};

void measureSeed(const Case& entry, int seed, const Options& options, ByMethod& errors)
{
    test::TruthShape shape = entry.truth;
    shape.seed = static_cast<std::uint32_t>(seed);
    const test::Truth truth = test::makeTruth(shape);
    test::SensorShape sensor = entry.sensor;
    sensor.seed = static_cast<std::uint32_t>(100'000 + seed);
    const auto samples = samplesOf(test::readSensor(truth, sensor), entry.stamped);
    if (options.asks("time"))
        measure(truth, samples, entry, {.method = AttributionMethod::Time}, errors.time);
    if (options.asks("cost"))
        measure(truth, samples, entry, {.method = AttributionMethod::Cost}, errors.cost);
    if (!options.asks("calibrated"))
        return;
    const auto known = test::simulateCalibration(truth, {.seed = shape.seed});
    if (known.result.refusal.empty())
        measure(truth, samples, entry,
                {.method = AttributionMethod::Calibrated, .calibration = known.result.record},
                errors.calibrated);
}

// A row of docs/accuracy.md.
std::string rowOf(const Case& entry, const char* method, Errors& errors, int seeds)
{
    std::string row = std::string("| ") + entry.name + " | " + method;
    if (const int used = errors.methods[method]; used < seeds)
        row += " (" + std::to_string(used) + " of " + std::to_string(seeds) + ")";
    row += " | " + std::to_string(seeds) + " |";
    for (Figure Errors::*figure : {&Errors::run, &Errors::phase, &Errors::token, &Errors::kind,
                                   &Errors::component, &Errors::span})
        row += (errors.*figure).cell();
    return row + '\n';
}

// Prints each case as soon as it is measured; by time only if asked.
void printTable(const Options& options)
{
    std::printf(
        "| truth and sensor | method | seeds | run | phase | token | kind | component | span "
        "|\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (const Case& entry : casesOf()) {
        if (std::string_view(entry.name).find(options.only) == std::string_view::npos)
            continue;
        ByMethod errors;
        for (int seed = 1; seed <= options.seeds; ++seed)
            measureSeed(entry, seed, options, errors);
        for (const auto& [method, found] :
             {std::pair{"time", &errors.time}, std::pair{"cost", &errors.cost},
              std::pair{"calibrated", &errors.calibrated}}) {
            if (options.asks(method))
                std::printf("%s", rowOf(entry, method, *found, options.seeds).c_str());
        }
        std::fflush(stdout);
    }
}

} // namespace

int main(int argc, char** argv)
{
    const Options options = optionsIn(argc, argv);
    if (options.repeats > 0) {
        std::printf("%d seeds.\n\n%s", options.repeats,
                    repeatTable(options.repeats, options.only).c_str());
        return 0;
    }
    if (options.calibrations > 0) {
        std::printf("%d seeds.\n\n%s", options.calibrations,
                    bench::calibrationTables(options.calibrations).c_str());
        return 0;
    }
    printTable(options);
    return 0;
}
