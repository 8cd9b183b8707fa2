// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for turning readings into energy.
#include "collector.h"
#include "log.h"

#include <algorithm>

namespace ep::powerlog {

namespace {

bool isAvailable(const Reading& reading)
{
    return !std::isnan(reading.value);
}

// Joins neighbours, pair by pair, keeping the energy.
void thin(std::vector<Window>& windows)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        Window window = windows[i];
        if (i + 1 < windows.size() && windows[i + 1].begin_ns == window.end_ns) {
            const Window& next = windows[++i];
            window.end_ns = next.end_ns;
            window.joules += next.joules;
            window.begin_w = window.end_w =
                static_cast<float>(window.joules / toSeconds(window.end_ns - window.begin_ns));
        }
        windows[kept++] = window;
    }
    windows.resize(kept);
}

} // namespace

void Collector::sum(Rail& rail)
{
    const bool lengths = rail.spec.rule == Rule::Interval || rail.spec.rule == Rule::Joules;
    std::vector<Reading>& last = rail.last; // the last reading, needed for the next step
    bool broken = false; // unavailable values lie in between
    for (const Reading& now : rail.readings) {
        if (!isAvailable(now)) {
            ++rail.unavailable;
            m_unavailable.add(now.row);
            broken = true;
            continue;
        }
        ++rail.samples;
        rail.groups.add(now.value, now.row);
        if (!lengths && rail.spec.rule != Rule::Counter) {
            rail.least_w = std::min(rail.least_w, now.value);
            rail.most_w = std::max(rail.most_w, now.value);
            rail.watch.addPower(now.value, now.row,
                                std::isnan(now.use) ? std::nullopt
                                                    : std::optional<double>(now.use));
        }
        if (lengths) {
            Reading own = now;
            if (own.length_s <= 0.0 && rail.spec.rule == Rule::Joules && !last.empty())
                own.length_s = toSeconds(now.at_ns - last.front().at_ns);
            else if (own.length_s <= 0.0 && rail.spec.rule == Rule::Joules)
                own.length_s = toSeconds(rail.usual_step);
            rail.falls += !last.empty() && now.value < last.front().value ? 1 : 0;
            sumLength(rail, own);
        } else if (!last.empty() && rail.spec.rule == Rule::Counter) {
            sumCounter(rail, last.front(), now);
        } else if (!last.empty()) {
            sumPower(rail, last.front(), now, broken);
        }
        last.assign(1, now);
        broken = false;
    }
}

void Collector::sumPower(Rail& rail, const Reading& before, const Reading& now, bool broken)
{
    const Nanoseconds step = now.at_ns - before.at_ns;
    if (step <= 0)
        return;
    if (broken || (!rail.spec.changes_only && rail.longest_step > 0 && step > rail.longest_step))
        return addGap(rail, before.at_ns, now.at_ns, broken);
    if (rail.usual_step > 0
        && (m_usualStep == 0 || step / rail.usual_step > m_largestBridged / m_usualStep)) {
        m_largestBridged = step;
        m_usualStep = rail.usual_step;
    }
    const bool hold = rail.spec.rule == Rule::Hold;
    const double end = hold ? before.value : now.value;
    addWindow(rail,
              {before.at_ns, now.at_ns, (before.value + end) / 2.0 * toSeconds(step),
               static_cast<float>(before.value), static_cast<float>(end)});
}

void Collector::sumLength(Rail& rail, const Reading& now)
{
    const bool energies = rail.spec.rule == Rule::Joules;
    const double joules = energies ? now.value : now.value * now.length_s;
    const double watts = energies ? (now.length_s > 0.0 ? joules / now.length_s : 0.0) : now.value;
    rail.least_w = std::min(rail.least_w, watts);
    rail.most_w = std::max(rail.most_w, watts);
    energies ? rail.watch.addEnergy(joules, now.length_s, now.row)
             : rail.watch.addPower(watts, now.row, {});
    const double lengthNs = now.length_s * 1e9;
    if (!(lengthNs > 0.0) || !(lengthNs < static_cast<double>(kLongestLength))) {
        rail.joules += energies ? joules : 0.0;
        return;
    }
    const auto length = static_cast<Nanoseconds>(std::llround(lengthNs));
    Nanoseconds begin = rail.spec.from_start ? now.at_ns : now.at_ns - length;
    const Nanoseconds before = rail.windows.empty() ? begin : rail.windows.back().end_ns;
    if (!rail.windows.empty()) {
        // Whole seconds only roughly say when a window ended, so the windows are laid end to end.
        constexpr Nanoseconds kCoarse = 1'500'000'000;
        const Nanoseconds off = begin - before;
        if (rail.spec.coarse_stamps && std::abs(off) <= kCoarse) {
            begin = before;
        } else if (begin < before) {
            rail.overlap_s += toSeconds(std::min(before - begin, length));
            begin = before;
        } else if (rail.usual_step > 0 && off > std::max(rail.longest_step, 10 * length)) {
            addGap(rail, before, begin, false);
        }
    }
    const Nanoseconds end = std::max(begin,
                                     (rail.spec.from_start          ? now.at_ns + length
                                          : rail.spec.coarse_stamps ? begin + length
                                                                    : now.at_ns));
    rail.stated_s += now.length_s;
    if (end > begin) {
        addWindow(rail, {begin, end, joules, static_cast<float>(watts), static_cast<float>(watts)});
        rail.covered_s += now.length_s - toSeconds(end - begin);
    } else {
        rail.joules += joules;
        rail.covered_s += now.length_s;
    }
}

void Collector::sumCounter(Rail& rail, const Reading& before, const Reading& now)
{
    const Nanoseconds step = now.at_ns - before.at_ns;
    const double joules = now.value - before.value;
    if (joules < 0.0) {
        constexpr std::size_t kMaxDrops = 10'000;
        if (rail.drops.size() < kMaxDrops)
            rail.drops.emplace_back(before, now);
        else
            rail.restarts.add(now.row);
        return;
    }
    if (step <= 0) {
        rail.joules += joules;
        return;
    }
    const double watts = joules / toSeconds(step);
    rail.least_w = std::min(rail.least_w, watts);
    rail.most_w = std::max(rail.most_w, watts);
    rail.watch.addIncrement(joules, toSeconds(step), now.row);
    addWindow(
        rail,
        {before.at_ns, now.at_ns, joules, static_cast<float>(watts), static_cast<float>(watts)});
}

void Collector::addWindow(Rail& rail, const Window& window)
{
    rail.joules += window.joules;
    rail.covered_s += toSeconds(window.end_ns - window.begin_ns);
    rail.windows.push_back(window);
    if (rail.windows.size() >= std::max<std::size_t>(512, kMaxWindows / m_rails.size()))
        thin(rail.windows);
}

} // namespace ep::powerlog
