// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/quality.h"

#include "ep/core/format.h"
#include "ep/core/message.h"
#include "ep/core/quantile.h"
#include "ep/energy/energy_timeline.h"

#include <algorithm>

namespace ep::energy {

namespace {

constexpr std::size_t kMinWindowsOfRail = 3; // number of windows needed to judge a rail

// Mean power of each window that has this rail.
std::vector<double> powersOf(const std::vector<const PowerSample*>& samples, Rail rail)
{
    std::vector<double> powers;
    for (const PowerSample* sample : samples) {
        if (const auto& energy = sample->energy_mj[rail])
            powers.push_back(meanPower(*energy, sample->window.duration_ns()).value);
        else if (const auto& power = sample->power_mw[rail])
            powers.push_back(power->value);
    }
    return powers;
}

// A running processor, memory or machine never uses zero; a GPU may.
bool standsStill(const std::vector<double>& powers)
{
    return powers.size() >= kMinWindowsOfRail
        && std::ranges::all_of(powers, [](double power) { return power == 0.0; });
}

// Whether high windows repeatedly make up for two or more windows of exactly zero before them.
bool comesInBatches(const std::vector<double>& powers)
{
    constexpr int kMinBursts = 2;
    constexpr double kBurst = 2.0; // multiple of the mean
    double mean = 0.0;
    for (const double power : powers)
        mean += power / static_cast<double>(powers.size());
    int bursts = 0;
    int zeros = 0;
    for (const double power : powers) {
        if (power > kBurst * mean && zeros >= 2)
            ++bursts;
        zeros = power == 0.0 ? zeros + 1 : 0;
    }
    return bursts >= kMinBursts;
}

void lookAtRails(const std::vector<const PowerSample*>& samples, PowerQuality& quality)
{
    for (const Rail rail : {Rail::Cpu, Rail::Dram, Rail::System}) {
        const auto powers = powersOf(samples, rail);
        if (standsStill(powers))
            quality.stuck.push_back(rail);
        else if (comesInBatches(powers))
            quality.batched.push_back(rail);
    }
}

std::string names(const std::vector<Rail>& rails)
{
    std::string text;
    for (const Rail rail : rails)
        text += (text.empty() ? "" : ", ") + std::string(name(rail));
    return text;
}

} // namespace

PowerQuality assessQuality(const RunTrace& trace, std::int64_t askedIntervalMs)
{
    PowerQuality quality;
    quality.asked_interval_ms = askedIntervalMs;

    std::vector<const PowerSample*> inside;
    std::vector<double> intervals;
    for (const PowerSample& sample : trace.samples) {
        if (intersection(sample.window, trace.time).empty())
            continue;
        inside.push_back(&sample);
        intervals.push_back(toMilliseconds(sample.window.duration_ns()));
        quality.thermal = std::max(quality.thermal, sample.thermal);
    }
    std::ranges::sort(intervals);
    quality.samples = static_cast<std::int64_t>(intervals.size());
    if (!intervals.empty()) {
        quality.median_interval_ms = quantileOf(intervals, 0.5);
        quality.p95_interval_ms = quantileOf(intervals, 0.95);
        quality.max_interval_ms = intervals.back();
    }

    Nanoseconds coveredUntil = trace.time.begin_ns;
    Nanoseconds largest = 0;
    const Nanoseconds tolerance = timestampTolerance(trace.samples);
    const auto gapUntil = [&](Nanoseconds until) {
        const Nanoseconds gap = until - coveredUntil;
        largest = std::max(largest, gap);
        quality.gaps += gap > tolerance ? 1 : 0;
    };
    for (const PowerSample* sample : inside) {
        const TimeRange part = intersection(sample->window, trace.time);
        gapUntil(part.begin_ns);
        coveredUntil = std::max(coveredUntil, part.end_ns);
    }
    gapUntil(trace.time.end_ns);
    quality.largest_gap_ms = toMilliseconds(largest);

    const EnergyTimeline timeline(trace.samples);
    if (!trace.time.empty()) {
        const Nanoseconds covered = timeline.known(trace.time).covered_ns;
        quality.coverage =
            static_cast<double>(covered) / static_cast<double>(trace.time.duration_ns());
    }
    for (const Rail rail : timeline.rails()) {
        if (std::ranges::any_of(inside, [&](const PowerSample* sample) {
                return !sample->energy_mj[rail] && !sample->power_mw[rail];
            }))
            quality.incomplete.push_back(rail);
    }
    lookAtRails(inside, quality);
    judgeQuality(quality);
    return quality;
}

std::string coverageText(double coverage)
{
    constexpr double kMost = 0.999; // the largest share below 1 with one decimal
    return formatPercent(coverage < 1.0 ? std::min(coverage, kMost) : 1.0);
}

namespace {

// Whether a share of all processors is above 5 %, or above this share of one processor, since there
// may be many.
bool isAbove(const std::optional<double>& share, std::int64_t processors, double ofOne)
{
    constexpr double kShare = 0.05;
    return share && (*share > kShare || *share * static_cast<double>(processors) > ofOne);
}

} // namespace

bool disturbs(const std::optional<double>& share, std::int64_t processors)
{
    return isAbove(share, processors, 0.5);
}

std::vector<Message> loadReasons(const PowerQuality& quality)
{
    constexpr double kOwn = 0.1; // of one processor; an idle machine that records uses 1/5 of it
    std::vector<Message> reasons;
    if (disturbs(quality.other_cpu_share, quality.processors))
        reasons.push_back(Message("Other programs used %1 of the processor during the run.",
                                  formatPercent(*quality.other_cpu_share)));
    if (isAbove(quality.own_cpu_share, quality.processors, kOwn))
        reasons.push_back(Message("The window itself, or another part of this program beside the "
                                  "run, used %1 of the processor.",
                                  formatPercent(*quality.own_cpu_share)));
    return reasons;
}

void judgeQuality(PowerQuality& quality)
{
    constexpr double kWhole = 0.9995;
    constexpr double kMax = 0.95;
    constexpr double kSlow = 1.5;
    constexpr std::int64_t kFewSamples = 10;
    quality.verdict = QualityVerdict::Good;
    quality.reasons.clear();
    const auto say = [&](QualityVerdict verdict, Message reason) {
        quality.verdict = std::max(quality.verdict, verdict);
        quality.reasons.push_back(std::move(reason));
    };
    const auto ms = [](double value) { return formatSignificant(value) + " ms"; };
    if (quality.samples == 0)
        return say(QualityVerdict::Poor, "No sample lies inside the run.");
    if (quality.coverage < kWhole)
        say(quality.coverage < kMax ? QualityVerdict::Poor : QualityVerdict::Fair,
            Message("The samples cover %1 of the run.", formatPercent(quality.coverage)));
    if (quality.gaps > 0)
        say(QualityVerdict::Fair,
            Message("%1 gaps between samples, the largest %2.", quality.gaps,
                    ms(quality.largest_gap_ms)));
    if (!quality.incomplete.empty())
        say(QualityVerdict::Fair,
            Message("Samples lack a reading of %1; totals over their time are missing.",
                    names(quality.incomplete)));
    if (!quality.stuck.empty())
        say(QualityVerdict::Poor,
            Message("The counter of %1 stayed at zero while the machine was busy.",
                    names(quality.stuck)));
    if (!quality.batched.empty())
        say(QualityVerdict::Fair,
            Message("The counter of %1 is updated in batches: sums over several seconds are valid, "
                    "the curve is not.",
                    names(quality.batched)));
    if (quality.dropped > 0)
        say(QualityVerdict::Fair,
            Message("%1 readings arrived but could not be used.", quality.dropped));
    if (quality.samples < kFewSamples)
        say(QualityVerdict::Fair,
            Message(quality.samples == 1 ? "Only %1 sample; a longer run gives better results."
                                         : "Only %1 samples; a longer run gives better results.",
                    quality.samples));
    if (quality.asked_interval_ms > 0
        && quality.median_interval_ms > kSlow * static_cast<double>(quality.asked_interval_ms))
        say(QualityVerdict::Fair,
            Message("Samples came every %1 instead of the %2 ms requested.",
                    ms(quality.median_interval_ms), quality.asked_interval_ms));
    if (quality.thermal > ThermalPressure::Nominal)
        say(quality.thermal > ThermalPressure::Moderate ? QualityVerdict::Poor
                                                        : QualityVerdict::Fair,
            Message("The machine was too warm to run at full speed (thermal pressure %1).",
                    name(quality.thermal)));
    if (quality.on_battery.value_or(false))
        say(QualityVerdict::Fair, "The machine ran on its battery.");
    if (quality.power_mode == PowerMode::Low)
        say(QualityVerdict::Fair, "Low-power mode was on.");
    for (Message& reason : loadReasons(quality))
        say(QualityVerdict::Fair, std::move(reason));
}

} // namespace ep::energy
