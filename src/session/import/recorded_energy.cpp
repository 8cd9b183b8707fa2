// SPDX-License-Identifier: GPL-3.0-or-later
#include "import/recorded_energy.h"

#include "ep/core/quantile.h"

#include <algorithm>
#include <cmath>

namespace ep::session {

namespace {

using powerlog::Window;

constexpr Nanoseconds kTouching = 1'000; // windows with a smaller gap are consecutive

// Energy of a part of a window whose power follows a straight line.
double partOf(const Window& window, const TimeRange& part)
{
    const double length = toSeconds(window.end_ns - window.begin_ns);
    if (part.begin_ns <= window.begin_ns && part.end_ns >= window.end_ns)
        return window.joules;
    const double begin = window.begin_w;
    const double end = window.end_w;
    const auto at = [&](Nanoseconds time) {
        return begin + toSeconds(time - window.begin_ns) / length * (end - begin);
    };
    const double line = (at(part.begin_ns) + at(part.end_ns)) / 2.0 * toSeconds(part.duration_ns());
    // The line gives only the shape; the energy itself is exact for counters and long windows.
    const double whole = (begin + end) / 2.0 * length;
    return whole > 0.0 ? line * (window.joules / whole)
                       : window.joules * toSeconds(part.duration_ns()) / length;
}

// The correction to the straight line inside a window that an end of a range cuts.
struct Cut {
    double later_joules = 0.0; // moves from before the cut to after it
    double sd_joules = 0.0; // with the sign of the change
};

double meanPowerOf(const Window& window)
{
    return window.joules / toSeconds(window.end_ns - window.begin_ns);
}

// Whether the windows' energies were measured, rather than the power at their ends.
bool hasMeans(const powerlog::RailRecording& rail)
{
    return rail.rule != powerlog::Rule::Trapezoid;
}

Cut cutAt(const powerlog::RailRecording& rail, Nanoseconds time)
{
    constexpr double kMean = 1.0 / 6.0;
    constexpr double kOfLine = 0.14907119849998599; // sqrt(1/20 - 1/36)
    constexpr double kOfMean = 0.07453559924999299; // sqrt(1/30 - 1/36)
    const auto window = std::ranges::upper_bound(rail.windows, time, {}, &Window::end_ns);
    if (window == rail.windows.end() || window->begin_ns >= time)
        return {};
    const double length = toSeconds(window->end_ns - window->begin_ns);
    if (!hasMeans(rail)) {
        const double rise = static_cast<double>(window->end_w) - window->begin_w;
        return {kMean * rise * length, kOfLine * rise * length};
    }
    const auto beside = [&](bool there, auto neighbour, Nanoseconds gap) {
        return meanPowerOf(there && gap <= kTouching ? *neighbour : *window);
    };
    const bool first = window == rail.windows.begin();
    const bool last = std::next(window) == rail.windows.end();
    const auto before = first ? window : std::prev(window);
    const auto after = last ? window : std::next(window);
    const double rise = beside(!last, after, after->begin_ns - window->end_ns)
        - beside(!first, before, window->begin_ns - before->end_ns);
    return {kMean * rise * length, kOfMean * rise * length};
}

// Variance of the sum of instantaneous values, from how far each is from the line between its
// neighbours: 1.5 times the variance of one value if they are independent.
double noiseVariance(const std::vector<Window>& windows, const TimeRange& range)
{
    constexpr double kMinTriples = 3.0;
    double squares = 0.0;
    double triples = 0.0;
    double steps = 0.0; // sum of the squared step lengths
    for (auto window = std::ranges::lower_bound(windows, range.begin_ns, {}, &Window::begin_ns);
         window != windows.end() && window->end_ns <= range.end_ns; ++window) {
        const double length = toSeconds(window->end_ns - window->begin_ns);
        steps += length * length;
        const auto next = std::next(window);
        if (next == windows.end() || next->end_ns > range.end_ns)
            break;
        const double off =
            window->end_w - (static_cast<double>(window->begin_w) + next->end_w) / 2.0;
        squares += off * off / 1.5;
        triples += 1.0;
    }
    if (triples < kMinTriples)
        return 0.0;
    // Neighbouring triples share values, so that two of them say little more than one.
    const double factor = studentFactor(triples / 2.0);
    return squares / triples * steps * factor * factor;
}

// Energy by lines and means alone. Absent if a part of the range is not covered.
std::optional<RangeEnergy> uncutEnergy(const std::vector<Window>& windows, const TimeRange& range)
{
    RangeEnergy energy;
    auto window = std::ranges::upper_bound(windows, range.begin_ns, {}, &Window::end_ns);
    Nanoseconds covered = range.begin_ns;
    for (; window != windows.end() && window->begin_ns < range.end_ns; ++window) {
        if (window->begin_ns > covered + kTouching)
            return std::nullopt;
        const TimeRange own{window->begin_ns, window->end_ns};
        energy.joules += partOf(*window, intersection(own, range));
        energy.whole_windows += range.contains(own) ? 1 : 0;
        covered = std::max(covered, window->end_ns);
    }
    if (covered + kTouching < range.end_ns)
        return std::nullopt;
    return energy;
}

// Moves energy across the beginning of a sample, from the nearest ones that have any: to the
// sample, or from it if the energy is negative.
void moveEnergy(std::vector<PowerSample>& samples, std::size_t at, Rail rail, double millijoules)
{
    const bool later = millijoules > 0.0;
    auto& taker = samples[later ? at : at - 1].energy_mj[rail];
    double left = std::abs(millijoules);
    for (std::size_t giver = later ? at - 1 : at; taker && left > 0.0; later ? --giver : ++giver) {
        auto& energy = samples[giver].energy_mj[rail];
        if (!energy)
            return;
        const double part = std::min(left, std::max(0.0, energy->value));
        energy->value -= part;
        taker->value += part;
        left -= part;
        if (giver == (later ? 0 : samples.size() - 1))
            return;
    }
}

void moveAtCuts(const std::vector<RunRail>& rails, Nanoseconds shift,
                std::span<const Nanoseconds> cuts, std::vector<PowerSample>& samples)
{
    std::vector<Nanoseconds> once(cuts.begin(), cuts.end());
    std::ranges::sort(once);
    once.erase(std::unique(once.begin(), once.end()), once.end());
    for (const Nanoseconds cut : once) {
        const auto sample = std::ranges::lower_bound(
            samples, cut, {}, [](const PowerSample& one) { return one.window.begin_ns; });
        if (sample == samples.begin() || sample == samples.end() || sample->window.begin_ns != cut)
            continue;
        const auto at = static_cast<std::size_t>(sample - samples.begin());
        for (const RunRail& rail : rails)
            moveEnergy(samples, at, rail.rail,
                       cutAt(*rail.recorded, cut - shift).later_joules * kMillijoulesPerJoule);
    }
}

// Times at which any rail's window begins or ends, and the cuts between them.
std::vector<Nanoseconds> bordersOf(const std::vector<RunRail>& rails, Nanoseconds shift,
                                   std::span<const Nanoseconds> cuts)
{
    std::vector<Nanoseconds> borders;
    for (const RunRail& rail : rails) {
        for (const Window& window : rail.recorded->windows) {
            borders.push_back(window.begin_ns);
            borders.push_back(window.end_ns);
        }
    }
    for (const Nanoseconds cut : cuts) {
        const auto [first, last] = std::ranges::minmax(borders);
        if (cut - shift > first && cut - shift < last)
            borders.push_back(cut - shift);
    }
    std::ranges::sort(borders);
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    return borders;
}

} // namespace

RangeEnergy& RangeEnergy::operator+=(const RangeEnergy& other)
{
    joules += other.joules;
    begin_sd_joules += other.begin_sd_joules;
    end_sd_joules += other.end_sd_joules;
    noise_variance += other.noise_variance;
    whole_windows = std::max(whole_windows, other.whole_windows);
    return *this;
}

double RangeEnergy::deviation() const
{
    return std::sqrt(begin_sd_joules * begin_sd_joules + end_sd_joules * end_sd_joules
                     + noise_variance);
}

std::optional<RangeEnergy> energyOver(const powerlog::RailRecording& rail, const TimeRange& range)
{
    std::optional<RangeEnergy> energy = uncutEnergy(rail.windows, range);
    if (!energy)
        return std::nullopt;
    const Cut begin = cutAt(rail, range.begin_ns);
    const Cut end = cutAt(rail, range.end_ns);
    energy->joules += begin.later_joules - end.later_joules;
    energy->begin_sd_joules = begin.sd_joules;
    energy->end_sd_joules = end.sd_joules;
    if (!hasMeans(rail))
        energy->noise_variance = noiseVariance(rail.windows, range);
    return energy;
}

std::vector<RunRail> runRails(const powerlog::Recording& recording)
{
    std::vector<RunRail> rails;
    // Nothing is derived from a poor recording; in others, single rails may have no energy.
    const bool poor = recording.verdict() == powerlog::Weight::Poor;
    const auto take = [&](std::string_view part, Rail rail) {
        for (const powerlog::RailRecording& recorded : recording.rails) {
            if (recorded.part == part && !recorded.windows.empty() && (poor || !recorded.poor))
                rails.push_back({rail, &recorded});
        }
    };
    take("cpu", Rail::Cpu);
    take("gpu", Rail::Gpu);
    take("ane", Rail::Ane);
    take("dram", Rail::Dram);
    take("system", Rail::System);
    // A sum of rails is used only if the rails themselves are absent, and a part only if there is
    // no sum either.
    if (rails.empty())
        take("sum", Rail::System);
    if (rails.empty())
        take("part", Rail::System);
    return rails;
}

bool isPartOfTotal(const std::vector<RunRail>& rails, Rail rail)
{
    const bool components =
        std::ranges::any_of(rails, [](const RunRail& one) { return one.rail != Rail::System; });
    return components == (rail != Rail::System);
}

std::vector<PowerSample> samplesOf(const std::vector<RunRail>& rails, Nanoseconds shift,
                                   std::span<const Nanoseconds> cuts)
{
    constexpr std::size_t kMax = 200'000; // more samples cannot be shown fluently
    const std::vector<Nanoseconds> borders = bordersOf(rails, shift, cuts);
    const std::size_t together = borders.size() / kMax + 1;
    std::vector<PowerSample> samples;
    for (std::size_t i = 0; i + 1 < borders.size(); i += together) {
        const TimeRange time{borders[i], borders[std::min(i + together, borders.size() - 1)]};
        PowerSample sample;
        PerRail<bool> lacking;
        for (const RunRail& rail : rails) {
            const auto energy = uncutEnergy(rail.recorded->windows, time);
            if (!energy) {
                lacking[rail.rail] = true;
                continue;
            }
            auto& sum = sample.energy_mj[rail.rail];
            sum = sum.value_or(Millijoules{}) + Millijoules{energy->joules * kMillijoulesPerJoule};
        }
        // A sum that lacks one of its devices is unknown.
        for (const Rail rail : kRails) {
            if (lacking[rail])
                sample.energy_mj[rail].reset();
        }
        if (!totalOf(sample.energy_mj))
            continue; // a gap
        sample.window = {time.begin_ns + shift, time.end_ns + shift};
        sample.arrival_ns = sample.window.end_ns;
        samples.push_back(sample);
    }
    moveAtCuts(rails, shift, cuts, samples);
    for (PowerSample& sample : samples) {
        for (const Rail rail : kRails) {
            if (const auto& energy = sample.energy_mj[rail])
                sample.power_mw[rail] = meanPower(*energy, sample.window.duration_ns());
        }
        sample.total_mw = totalOf(sample.power_mw);
    }
    return samples;
}

} // namespace ep::session
